// Finds programs on this machine: redis-server and a Chrome or Chromium. It only looks, it installs nothing.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** The oldest Redis whose streams, functions of Lua and AOF layout the kernel is tested on. */
export const minimumRedis = '7.0'

/** Looked at after PATH: brew's folders are not on the PATH of every shell. */
const usualFolders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/usr/sbin']
/** The shell has no windows, and takes half the work of the whole browser for the same page. */
const chromeNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const chromeFiles = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
]

/**
 * The first executable of that name on PATH or in the usual folders.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findProgram(name, env) {
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), ...usualFolders]
  return folders
    .filter(Boolean)
    .map((folder) => path.join(folder, name))
    .find(isExecutable)
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ readonly file: string, readonly version: string, readonly recent: boolean } | undefined}
 */
export function findRedisServer(env) {
  const file = findProgram('redis-server', env)
  if (!file) return undefined
  const result = spawnSync(file, ['--version'], { encoding: 'utf8' })
  const version = /v=(\d+\.\d+\.\d+)/.exec(result.stdout ?? '')?.[1] ?? 'unknown'
  return { file, version, recent: isAtLeast(version, minimumRedis) }
}

/**
 * A Chrome or Chromium: CHROME_PATH, else PATH, else where installers put it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findChrome(env) {
  const named = env['CHROME_PATH']
  if (named) return isExecutable(named) ? named : undefined
  return chromeNames.map((name) => findProgram(name, env)).find(Boolean) ?? chromeFiles.find(isExecutable)
}

/**
 * @param {string} version
 * @param {string} minimum
 */
export function isAtLeast(version, minimum) {
  const [major = Number.NaN, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = minimum.split('.').map(Number)
  return major > neededMajor || (major === neededMajor && minor >= neededMinor)
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
