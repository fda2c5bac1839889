// `delivery`: what one delivered text costs the channel's process, from the hint to the settled row, against the platform's SDK alone;
// and that process' memory. Round trips and processor time are per text, `light` ones at the thirty a second that Telegram takes, the
// others with thousands of chats waiting and no limit. Feishu's limits no setting lifts: there `light` is fifteen a second, and the others
// come as fast as it takes them, fifty a second for less than a minute. `rssMb` is what the process held after some time of light load,
// `peakMb` the most since its start, `floodMb` the most with thousands waiting.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectKernel, connectProducer } from '#queues/connection.ts'
import { createHints } from '#queues/jobs/hints.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import type { BareSending } from './bare-sender.ts'
import type { Child } from './child.ts'
import type { ProcessStats } from './count-writes.ts'
import { text } from './delivery-text.ts'
import { round } from './figures.ts'
import type { Place } from './place.ts'
import type { PlatformName, PlatformQuestion } from './platform.ts'

export type DeliverySize = { readonly texts: number; readonly light: number }

/** Telegram takes thirty messages a second; Feishu a thousand a minute. */
const lightEveryMsOf: Readonly<Record<PlatformName, number>> = { telegram: 33, discord: 33, feishu: 66 }
/** More of them Feishu would not take within its minute. */
const feishuAtOnce = 900
const feishuMinuteMs = 61_000

export async function measureDelivery(place: Place, size: DeliverySize) {
  return {
    telegram: await measurePlatform(place, 'telegram', size),
    discord: await measurePlatform(place, 'discord', size),
    feishu: await measurePlatform(place, 'feishu', size),
  }
}

async function measurePlatform(place: Place, name: PlatformName, { texts: most, light }: DeliverySize) {
  const isFeishu = name === 'feishu'
  const lightEveryMs = lightEveryMsOf[name]
  const texts = isFeishu ? Math.min(most, feishuAtOnce) : most
  await place.clear()
  const platform = await place.start('platform.ts', [name])
  const ask = <T>(question: PlatformQuestion): Promise<T> => platform.ask<T>(question)
  const env = await ask<Record<string, string>>({ kind: 'where' })
  const bare = await place.start('bare-sender.ts', [name], env)
  // Once before: a first start translates and compiles, and holds what it needs for that.
  const first = await place.startFleet([name], env)
  await sleep(1500)
  await first.stop()
  const channel = await place.startFleet([name], env)
  const outbox = await openOutbox(place.url)
  try {
    const deliver = async (count: number, everyMs: number): Promise<void> => {
      const before = await ask<number>('arrived')
      const chats = await ask<string[]>({ kind: 'chats', count })
      await outbox.fill(
        chats.map((chat) => `${name}:${chat}`),
        everyMs,
      )
      while ((await ask<number>('arrived')) < before + count) await sleep(20)
      // The last rows are settled after they have arrived.
      await sleep(300)
    }
    await sleep(1500)
    await deliver(light, lightEveryMs)
    const idle = await measure(channel, 1, () => sleep(2000))
    const paced = await measure(channel, light, () => deliver(light, lightEveryMs))
    const { nowMb, peakMb } = channel.memory()
    if (isFeishu) await sleep(feishuMinuteMs)
    else await deliver(texts / 4, 0)
    const saturated = await measure(channel, texts, () => deliver(texts, 0))
    const floodMb = channel.memory().peakMb
    const send = async (count: number, everyMs: number): Promise<void> => {
      const chats = await ask<string[]>({ kind: 'chats', count })
      const sending: BareSending[] =
        everyMs === 0 ? [{ chats, atOnce: 100 }] : chats.map((chat) => ({ chats: [chat], atOnce: 1 }))
      for (const one of sending) {
        await bare.ask(one)
        await sleep(everyMs)
      }
    }
    await send(light, lightEveryMs)
    const pacedBaseline = await measure(bare, light, () => send(light, lightEveryMs))
    await send(texts / 4, 0)
    const baseline = await measure(bare, texts, () => send(texts, 0))
    const idleCpuMs = (idle.cpuMs / 2000) * (lightEveryMs + 1)
    return {
      roundTrips: { saturated: round(saturated.writes), light: round(paced.writes) },
      cpuMs: round(saturated.cpuMs),
      lightCpuMs: round(paced.cpuMs - idleCpuMs),
      baselineCpuMs: round(baseline.cpuMs),
      lightBaselineCpuMs: round(pacedBaseline.cpuMs),
      rssMb: round(nowMb),
      peakMb: round(peakMb),
      floodMb: round(floodMb),
    }
  } finally {
    await outbox.close()
    for (const child of [bare, channel, platform]) await child.stop()
  }
}

/** Per text. */
async function measure(child: Child, texts: number, work: () => Promise<unknown>): Promise<ProcessStats> {
  const before = await child.stats()
  await work()
  const after = await child.stats()
  return { cpuMs: (after.cpuMs - before.cpuMs) / texts, writes: (after.writes - before.writes) / texts }
}

type Outbox = {
  /** Puts one text into each conversation's outbox, as a turn does, and hints the sender. */
  fill(conversations: readonly string[], everyMs: number): Promise<void>
  close(): Promise<void>
}

async function openOutbox(url: string): Promise<Outbox> {
  const redis = connectKernel(url)
  const producer = connectProducer(url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  const kernel = createRedisKernel(redis, createUnits(redis, { patienceMs: 5000 }))
  const hints = createHints(producer)
  async function put(conversation: string): Promise<void> {
    const claimed = await kernel.claim(conversation, 'bench', 60_000)
    if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
    const body = toBody(text)
    const rows = [{ id: 'row', body, expiresInMs: 600_000 }]
    await kernel.append(conversation, claimed.epoch, { key: 'step', entries: [], rows, release: true })
    await hints.outbound(conversation)
  }
  return {
    async fill(conversations, everyMs) {
      if (everyMs === 0) return void (await Promise.all(conversations.map(put)))
      for (const conversation of conversations) {
        await put(conversation)
        await sleep(everyMs)
      }
    },
    async close() {
      await hints.close()
      redis.disconnect()
      producer.disconnect()
    },
  }
}
