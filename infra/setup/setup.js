// The idempotent set-up that `npm start` and `npm test` run first. Plain JavaScript without dependencies, since it
// runs on the Node that the machine already has (20 or newer), before anything is installed. It changes nothing that
// is already right, asks nothing, and ends with exit code 1 and the full list of what is missing.
import { existsSync } from 'node:fs'
import path from 'node:path'
import util from 'node:util'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { installDependencies } from './dependencies.js'
import { checkNode } from './node-version.js'
import { findChrome, findProgram, findRedisServer, minimumRedis } from './programs.js'
import { createReport } from './report.js'
import { readSettingsFile } from './settings-file.js'
import { installPackage } from './system-packages.js'

const minimumMajor = 20

/**
 * Runs every part and returns the problems, empty when the machine is ready.
 * @param {{ root: string, withBrowser: boolean, env: NodeJS.ProcessEnv, say: (line: string) => void }} options
 * @returns {string[]}
 */
export function setUp({ root, withBrowser, env, say }) {
  const report = createReport(say)
  if (Number(process.versions.node.split('.')[0]) < minimumMajor) {
    return [
      `Node ${process.versions.node} is too old to set Flotilla up. Install Node ${minimumMajor} or newer, then run this again.`,
    ]
  }
  if (process.platform === 'win32') {
    return ['Flotilla runs on Linux and macOS. On Windows, use the Windows Subsystem for Linux.']
  }
  if (installDependencies(root, report)) checkNode(root, report)
  if (!env['REDIS_URL']) setUpRedis(env, report)
  if (withBrowser) setUpBrowser(env, report)
  return report.problems
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./report.js').Report} report
 */
function setUpRedis(env, report) {
  // Part of every usual Linux, but not of the smallest container images; macOS locks without it.
  if (process.platform === 'linux' && !findProgram('flock', env)) {
    report.problems.push(
      'The program "flock" is missing, which keeps two fleets from writing one data folder. Install the package util-linux, or set REDIS_URL.',
    )
  }
  let found = findRedisServer(env)
  let attempt = ''
  if (!found?.recent) {
    attempt = installPackage('redis', env, report)
    found = findRedisServer(env)
  }
  if (found?.recent) return
  const have = found
    ? `${found.file} is version ${found.version}, and Flotilla needs ${minimumRedis} or newer`
    : 'redis-server is missing'
  report.problems.push(
    `${have}. ${attempt}Install it (Debian or Ubuntu: "apt-get install redis-server"; macOS: "brew install redis"), ` +
      'or set REDIS_URL to a Redis that already runs.',
  )
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./report.js').Report} report
 */
function setUpBrowser(env, report) {
  if (findChrome(env)) return
  let attempt = ''
  for (const wanted of /** @type {const} */ (['headless-shell', 'chromium'])) {
    attempt = installPackage(wanted, env, report)
    if (findChrome(env)) return
  }
  report.problems.push(
    `The tests need Chrome or Chromium. ${attempt}Install one (Debian: "apt-get install chromium-headless-shell"; elsewhere Google Chrome), ` +
      'or set CHROME_PATH to its program file.',
  )
}

/** True when this file is the program, not an import of a test. */
function isMain() {
  const started = process.argv[1]
  return started !== undefined && existsSync(started) && path.resolve(started) === fileURLToPath(import.meta.url)
}

if (isMain()) {
  // Settings may lie in a file, REDIS_URL among them. Node before 20.12 cannot read it; then a Redis is set up that may not be needed.
  if (existsSync('.env')) {
    for (const [name, value] of Object.entries(util.parseEnv?.(readSettingsFile('.env')) ?? {}))
      process.env[name] ??= value
  }
  const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
  const problems = setUp({
    root,
    withBrowser: process.argv.includes('--test'),
    env: process.env,
    say: (line) => console.log(line),
  })
  for (const problem of problems) console.error(`Set-up: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
