// Installs the npm packages when node_modules does not match package-lock.json, with every lifecycle script blocked.
// `npm install --no-save`, not `npm ci`: the latter refuses a lockfile that was made on another platform. The
// lockfile must come out as it went in; if npm changes it all the same, it is put back and the run fails.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const stampName = '.flotilla-setup'
const keptFiles = ['package-lock.json', 'package.json']

/**
 * Returns true when node_modules matches the lockfile, now or already before.
 * @param {string} root
 * @param {import('./report.js').Report} report
 * @returns {boolean}
 */
export function installDependencies(root, report) {
  if (dependenciesMatch(root)) return true
  report.say('Installing dependencies: npm install --no-save --ignore-scripts (once; a minute or so) ...')
  const before = keptFiles.map((name) => readFileSync(path.join(root, name)))
  const result = spawnSync(
    'npm',
    [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
    ],
    { cwd: root, env: toInstallEnv(root, process.env), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const changed = restoreChanged(root, before)
  if (result.error || result.status !== 0) {
    const output = result.error
      ? result.error.message
      : `${result.stderr}${result.stdout}`.trim().split('\n').slice(-12).join('\n')
    report.problems.push(
      `"npm install --no-save --ignore-scripts" failed. Check the network and npm's settings, then run this again.\n${output}`,
    )
    return false
  }
  if (changed.length > 0) {
    report.problems.push(
      `npm changed ${changed.join(' and ')}, which was put back: the lockfile does not fit package.json. ` +
        'Run "npm install --ignore-scripts", look at the difference, and commit it.',
    )
    return false
  }
  writeFileSync(path.join(root, 'node_modules', stampName), lockHash(root))
  return true
}

/**
 * True when the stamp holds the lockfile's hash and every direct dependency has its folder.
 * @param {string} root
 */
export function dependenciesMatch(root) {
  const stamp = path.join(root, 'node_modules', stampName)
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash(root)) return false
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const names = ['dependencies', 'devDependencies'].flatMap((part) => Object.keys(toObject(toObject(manifest)[part])))
  return names.every((name) => existsSync(path.join(root, 'node_modules', name, 'package.json')))
}

/** @param {string} root */
function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
}

/**
 * @param {string} root
 * @param {readonly Buffer[]} before
 * @returns {string[]} the names of the files that had changed
 */
function restoreChanged(root, before) {
  return keptFiles.filter((name, at) => {
    const file = path.join(root, name)
    const kept = before[at]
    if (!kept || (existsSync(file) && readFileSync(file).equals(kept))) return false
    writeFileSync(file, kept)
    return true
  })
}

/**
 * Without the project's own programs on PATH: npm must not run on a Node that it is about to replace.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function toInstallEnv(root, env) {
  const own = path.join(root, 'node_modules', '.bin')
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.resolve(folder) !== own)
  return { ...env, PATH: folders.join(path.delimiter) }
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function toObject(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
