// `cost`: where the microseconds of a message go, in Node by function and in Redis by unit, saturated and at light load.
import { setTimeout as sleep } from 'node:timers/promises'
import { listUnits } from '#queues/units.ts'
import type { Child } from './child.ts'
import { round } from './figures.ts'
import type { Load, LoadResult } from './load.ts'
import type { Place } from './place.ts'
import type { FunctionTime } from './profile.ts'

type Row = readonly (string | number)[]
type Table = { readonly head: readonly string[]; readonly rows: readonly Row[] }
export type Cost = Readonly<Record<string, Table>>

const atOnce = 50
const quietMs = 400
const mostFunctions = 40
const mostPlaces = 16
const logLength = 2_000_000

/** `saturated` messages as fast as they are taken, then `light` ones, fifty a second; each in a conversation of its own. */
export async function measureCost(
  place: Place,
  size: { readonly saturated: number; readonly light: number },
): Promise<Cost> {
  const fleet = await place.startFleet(['router', 'executor'])
  const load = await place.startLoad()
  const sides = { place, fleet, load }
  await run(sides, { conversations: Math.ceil(size.saturated / 3), ratePerS: 0, label: 'warm' })
  const saturated = await profiled(sides, { conversations: size.saturated, ratePerS: 0, label: 'cost' })
  const light = await profiled(sides, { conversations: size.light, ratePerS: 50, label: 'light' })
  await fleet.stop()
  await load.stop()
  return {
    total: {
      head: ['µs a message', 'Node', 'of it sampled', 'Redis', 'of it in commands'],
      rows: [saturated.total, light.total],
    },
    'Node by place': join(saturated.places, light.places, ['place', 'µs saturated', 'µs light'], mostPlaces),
    'Node by function': join(
      saturated.functions,
      light.functions,
      ['function', 'µs saturated', 'µs light'],
      mostFunctions,
    ),
    Redis: {
      head: [
        'unit or command',
        'calls a message',
        'commands within',
        'µs a call',
        'µs a message',
        'calls, light',
        'µs, light',
      ],
      rows: saturated.commands.map(({ name, calls, us, inner }) => {
        const paced = light.commands.find((other) => other.name === name)
        return [name, ...[calls, inner, us / calls, us, paced?.calls ?? 0, paced?.us ?? 0].map(round)]
      }),
    },
  }
}

type Sides = { readonly place: Place; readonly fleet: Child; readonly load: Child }
type Part = Pick<Load, 'conversations' | 'ratePerS' | 'label'>

async function run({ place, load }: Sides, part: Part): Promise<LoadResult> {
  await place.clear()
  const result = await load.ask<LoadResult>({ ...part, side: 'fleet', perConversation: 1, atOnce } satisfies Load)
  await sleep(quietMs)
  return result
}

async function profiled(sides: Sides, part: Part) {
  const { place, fleet } = sides
  await place.redis.config('SET', 'slowlog-max-len', logLength)
  await fleet.ask({ kind: 'profile', on: true })
  const before = await fleet.stats()
  const redisBefore = await place.redisCpuMs()
  await place.redis.slowlog('RESET')
  await place.redis.config('SET', 'slowlog-log-slower-than', 0)
  const { messages } = await run(sides, part)
  await place.redis.config('SET', 'slowlog-log-slower-than', -1)
  const redisMs = (await place.redisCpuMs()) - redisBefore
  const nodeMs = (await fleet.stats()).cpuMs - before.cpuMs
  const functions = await fleet.ask<readonly FunctionTime[]>({ kind: 'profile', on: false })
  const commands = toCommands(await readLog(place), messages)
  const us = (ms: number): number => (ms * 1000) / messages
  const sampled = functions.reduce((sum, { selfMs }) => sum + selfMs, 0)
  const inCommands = commands.reduce((sum, { us: each }) => sum + each, 0)
  return {
    total: [
      part.label === 'light' ? 'light' : 'saturated',
      ...[us(nodeMs), us(sampled), us(redisMs), inCommands].map(round),
    ],
    functions: sum(functions.map(({ name, selfMs }) => [name, us(selfMs)])),
    places: sum(functions.map((found) => [found.place, us(found.selfMs)])),
    commands,
  }
}

const sum = (pairs: readonly (readonly [string, number])[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, us] of pairs) sums.set(name, (sums.get(name) ?? 0) + us)
  return sums
}

function join(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  head: readonly string[],
  most: number,
): Table {
  const rows = [...a].toSorted(([, x], [, y]) => y - x).slice(0, most)
  return { head, rows: rows.map(([name, us]) => [name, round(us), round(b.get(name) ?? 0)]) }
}

type Command = { readonly name: string; readonly calls: number; readonly us: number; readonly inner: number }

/** What a script calls comes from no client, and is logged right before the script. */
const fromScript = '?:0'

/** A unit with the commands within it, a message's share of each. */
function toCommands(log: readonly Logged[], messages: number): readonly Command[] {
  const units = listUnits()
  const found = new Map<string, { calls: number; us: number; inner: number }>()
  let within = 0
  for (const { us, args, client } of log) {
    within += client === fromScript ? 1 : 0
    if (client === fromScript) continue
    const name = toName(args, units)
    const entry = found.get(name) ?? { calls: 0, us: 0, inner: 0 }
    found.set(name, { calls: entry.calls + 1, us: entry.us + us, inner: entry.inner + within })
    within = 0
  }
  return [...found]
    .map(([name, { calls, us, inner }]) => ({
      name,
      calls: calls / messages,
      us: us / messages,
      inner: inner / calls,
    }))
    .filter(({ us }) => us >= 0.1)
    .toSorted((a, b) => b.us - a.us)
}

function toName([command = '', sha = '', keys = '']: readonly string[], units: ReadonlyMap<string, string>): string {
  if (command.toLowerCase() !== 'evalsha') return command.toLowerCase()
  return units.get(sha) ?? `BullMQ, ${keys} keys`
}

type Logged = { readonly us: number; readonly args: readonly string[]; readonly client: string }

/** Oldest first. */
async function readLog({ redis }: Place): Promise<readonly Logged[]> {
  const entries: unknown = await redis.call('SLOWLOG', 'GET', '-1')
  const logged = Array.isArray(entries) ? entries : []
  return logged
    .map((entry: [unknown, unknown, number, string[], string]) => ({ us: entry[2], args: entry[3], client: entry[4] }))
    .toReversed()
}

/** As it stands in infra/docs/cost.md. */
export function toMarkdown(cost: Cost): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return Object.entries(cost)
    .map(([title, { head, rows }]) =>
      [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'),
    )
    .join('\n')
}
