// Installs one of four system packages where that needs no question: with apt as root or by passwordless sudo, with
// brew on macOS. Anything else is left to the person; the caller says what to install.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { findProgram } from './programs.js'

/** @typedef {'redis' | 'headless-shell' | 'chromium' | 'faketime'} Wanted */

/** @type {Readonly<Record<Wanted, { readonly apt: string, readonly brew: string | undefined }>>} */
const packages = {
  redis: { apt: 'redis-server', brew: 'redis' },
  // Only Debian's own packages are programs; Ubuntu's is a snap, and brew's a cask that may need a password. Older lists have no shell.
  'headless-shell': { apt: 'chromium-headless-shell', brew: undefined },
  chromium: { apt: 'chromium', brew: undefined },
  // For fault scenarios that move time; programs of macOS let no library in.
  faketime: { apt: 'libfaketime', brew: undefined },
}

let listsUpdated = false

/**
 * Tries to install; returns a sentence on why it could not, or an empty string.
 * @param {Wanted} wanted
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./report.js').Report} report
 * @returns {string}
 */
export function installPackage(wanted, env, report) {
  const names = packages[wanted]
  const brew = findProgram('brew', env)
  if (process.platform === 'darwin' && brew && names.brew) {
    report.say(`Installing ${names.brew}: brew install ${names.brew} ...`)
    return run([brew, 'install', names.brew], { ...env, NONINTERACTIVE: '1' })
  }
  const apt = findProgram('apt-get', env)
  if (!apt || (isBrowser(wanted) && !isDebian())) return ''
  const prefix = findPrivilege(env)
  if (!prefix) return 'Installing it needs root or passwordless sudo, and this account has neither. '
  report.say(`Installing ${names.apt}: apt-get install ${names.apt} ...`)
  const quiet = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', apt, '-qq', '-o', 'Dpkg::Use-Pty=0']
  if (!listsUpdated) {
    const failed = run([...quiet, 'update'], env)
    if (failed) return failed
    listsUpdated = true
  }
  const install = [...quiet.slice(prefix.length), 'install', '-y', '--no-install-recommends', names.apt]
  // Whoever has one already may use its service.
  const isFirstRedis = wanted === 'redis' && !findProgram('redis-server', env)
  return run([...prefix, ...(isFirstRedis ? withoutService(install) : install)], env)
}

/** By exit code 101 this program tells Debian's packages to start no service: https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt */
const policyFile = '/usr/sbin/policy-rc.d'
/** There only where systemd runs. */
const systemdFolder = '/run/systemd/system'
const mark = 'Made by the set-up of Flotilla, which removes it.'
const script = `
policy=$1 systemd=$2
shift 2
if [ ! -e "$policy" ] || grep -q '${mark}' "$policy"; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\\n# ${mark}\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
"$@" || exit
if [ -d "$systemd" ]; then systemctl disable --now redis-server; fi
`

/**
 * The command that installs without starting Debian's own service, a second Redis without a password: neither now, nor at the next
 * boot. A policy that is there already is somebody's, and stays.
 * @param {readonly string[]} install
 * @param {{ readonly policy: string, readonly systemd: string }} [files]
 * @returns {string[]}
 */
export function withoutService(install, { policy, systemd } = { policy: policyFile, systemd: systemdFolder }) {
  return ['sh', '-c', script, 'sh', policy, systemd, ...install]
}

/**
 * What to put before a command so that it runs as root, or undefined when that would need a password.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[] | undefined}
 */
function findPrivilege(env) {
  if (process.getuid?.() === 0) return []
  const sudo = findProgram('sudo', env)
  if (!sudo) return undefined
  return spawnSync(sudo, ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? [sudo, '-n'] : undefined
}

/** @param {Wanted} wanted */
const isBrowser = (wanted) => wanted === 'headless-shell' || wanted === 'chromium'

function isDebian() {
  const file = '/etc/os-release'
  return existsSync(file) && /^ID=["']?debian["']?$/m.test(readFileSync(file, 'utf8'))
}

/**
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} empty on success
 */
function run([program = '', ...args], env) {
  const result = spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (!result.error && result.status === 0) return ''
  const output = result.error
    ? result.error.message
    : `${result.stderr}${result.stdout}`.trim().split('\n').slice(-3).join(' | ')
  return `"${[program, ...args].join(' ')}" failed (${output}). `
}
