// `flotilla <command>`: starts a process of the fleet or answers a question about it.
import { platforms } from '#infra/processes/channels.ts'
import { memoryHelp } from '#infra/processes/memory.ts'
import type { Role } from '#infra/processes/roles.ts'
import { BotError } from '#shared/errors.ts'
import { findNearest } from '#shared/nearest.ts'

type Command = { readonly help: string; run(args: readonly string[]): Promise<number> }

function refuseWord(name: string, word: string): number {
  process.stderr.write(`"${name}" takes no further words, such as "${word.slice(0, 40)}".\n`)
  return 2
}

/** A process of the fleet. It takes no words. */
function role(name: Role, help: string): Command {
  return {
    help,
    async run([word]) {
      if (word === undefined) return await (await import('#infra/processes/separate.ts')).runSeparate([name])
      return refuseWord(name, word)
    },
  }
}

const commands: Readonly<Record<string, Command>> = {
  all: {
    help: 'the whole fleet in this process, on an embedded Redis',
    run: async ([word]) => {
      if (word === undefined) return await (await import('#infra/processes/all.ts')).runAll()
      return refuseWord('all', word)
    },
  },
  router: role('router', 'a router'),
  executor: role('executor', 'an executor'),
  reflection: role('reflection', 'a worker that learns from ended turns'),
  curiosity: {
    help: 'a worker that finds out what only people can tell; curiosity gaps --jsonl: what of dialogues on stdin is worth asking; curiosity report [--json]: what was asked, and what came of it',
    run: async ([word, ...args]) => {
      if (word === 'gaps') return await (await import('#infra/processes/curiosity-gaps.ts')).runCuriosityGaps(args)
      if (word === 'report')
        return await (await import('#infra/processes/curiosity-report.ts')).runCuriosityReport(args)
      if (word === undefined) return await role('curiosity', '').run([])
      const usage =
        'curiosity alone starts the worker; curiosity gaps --jsonl reads dialogues; curiosity report [--json] counts what was asked'
      if (word === 'help') process.stdout.write(`Usage: ${usage}.\n`)
      else process.stderr.write(`"curiosity" does not know "${word.slice(0, 40)}": ${usage}.\n`)
      return word === 'help' ? 0 : 2
    },
  },
  ...Object.fromEntries(platforms.map(({ name }) => [name, role(name, `the ${name} channel`)])),
  web: role('web', 'the web chat and HTTP interface'),
  console: {
    help: 'a chat in this terminal: console [name]',
    run: async (args) => (await import('#infra/processes/console.ts')).runConsole(args),
  },
  doctor: {
    help: `what is wrong, and how to mend it: doctor [model|${platforms.map(({ name }) => name).join('|')}] [--repair or --replay <conversation or task>]`,
    run: async (args) => (await import('#infra/doctor/doctor.ts')).runDoctor(args),
  },
  route: {
    help: 'how a text would be routed: route "text", or route --jsonl with lines on stdin',
    run: async (args) => (await import('#infra/processes/route.ts')).runRoute(args),
  },
  context: {
    help: 'what the model would see: context <conversation> [--at <turn>] [--json]',
    run: async (args) => (await import('#infra/processes/context.ts')).runContext(args),
  },
  memory: {
    help: memoryHelp,
    run: async (args) => (await import('#infra/processes/memory.ts')).runMemory(args),
  },
  confidence: {
    help: 'how sure an answer is: confidence --jsonl with lines on stdin',
    run: async (args) => (await import('#infra/processes/confidence.ts')).runConfidence(args),
  },
}

const helpWords = ['help', '--help', '-h']

/** For what nobody foresaw, whoever reports it needs the place. */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function main(): Promise<number> {
  const [name = 'help', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command && args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`flotilla ${name}: ${command.help}\n`)
    return 0
  }
  if (command) return await command.run(args)
  const known = Object.entries(commands)
  const lines = known.map(([one, { help }]) => `  ${one.padEnd(10)} ${help}`)
  const usage = ['Usage: npm run flotilla -- <command>', '', ...lines, ''].join('\n')
  if (helpWords.includes(name)) {
    process.stdout.write(usage)
    return 0
  }
  const { name: nearest, slips } = findNearest(name, Object.keys(commands))
  const hint = slips <= 2 ? ` Did you mean "${nearest}"?` : ''
  process.stderr.write(`There is no command "${name.slice(0, 40)}".${hint}\n\n${usage}`)
  return 2
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof BotError ? error.message : describe(error)}\n`)
  process.exitCode = 1
}
// What a failed start or a lost connection left open must not keep the process: everything of account has stopped by now.
setTimeout(() => process.exit(), 1000).unref()
