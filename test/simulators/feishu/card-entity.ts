// Card entities: cards that live beside messages, are sent once, and change in place. A stream goes open → closed by the bot, or by the
// server ten minutes after it was opened; the bot may open it again. Every change carries a number above all earlier ones.
// https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/cardkit-v1/card/settings and its neighbours
import { z } from 'zod'
import { FeishuError } from './api-error.ts'
import { isObject, type CardJson } from './card-json.ts'
import { readCard, type ShownCard } from './card.ts'
import { newId } from './ids.ts'
import { maxCardBytes } from './message-content.ts'
import type { RouteCall, RouteDeps } from './route.ts'
import { check } from './route.ts'
import { rewrite, type CardEntity, type World } from './world.ts'

const lifeMs = 14 * 86_400_000

const refuse = (code: number, words: string) => (): FeishuError => new FeishuError(400, code, words)

export const cardRefusals = {
  invalid: (what: string) =>
    new FeishuError(400, 10_002, `Your request contains an invalid request parameter, ext=${what}`),
  absent: refuse(200_740, 'The card entity does not exist'),
  expired: refuse(200_750, 'The card entity has expired'),
  uuidTaken: refuse(200_770, 'UUID conflict'),
  beingPressed: refuse(200_810, 'The card is in an ongoing interaction and cannot be updated'),
  timedOut: refuse(200_850, 'Card streaming timeout'),
  tooLarge: refuse(200_860, 'Card content exceeds limit.'),
  empty: refuse(300_307, 'The card DSL is empty'),
  notShared: refuse(300_302, 'update_multi property is false'),
  closed: refuse(300_309, 'Card streaming closed'),
  onlyText: refuse(300_310, 'Only update text'),
  noElement: (id: string) =>
    new FeishuError(400, 300_313, `Failed to update element properties, not find elementID: ${id}`),
  outOfOrder: refuse(300_317, 'The sequence number for operating on the card did not increment consecutively'),
} as const

/** Throws 200220 with what is wrong with the card. */
export function readEntityCard(json: CardJson): ShownCard {
  if (json['schema'] !== '2.0')
    throw new FeishuError(400, 200_220, 'Failed to generate card content: schema is not 2.0')
  const config = isObject(json['config']) ? json['config'] : {}
  if (config['update_multi'] === false) throw cardRefusals.notShared()
  if (Buffer.byteLength(JSON.stringify(json)) > maxCardBytes) throw cardRefusals.tooLarge()
  try {
    return readCard(json)
  } catch (error) {
    if (!(error instanceof FeishuError)) throw error
    throw new FeishuError(400, 200_220, `Failed to generate card content: ${error.message}`)
  }
}

export function createEntity({ world, options }: RouteDeps, json: CardJson): CardEntity {
  const entity: CardEntity = {
    id: newId.card(),
    createdAt: world.clock.now(),
    json,
    card: readEntityCard(json),
    sequence: 0,
    streamingSince: undefined,
    isCutOff: false,
    message: undefined,
    jumps: 0,
    uuids: new Set(),
  }
  world.entities.set(entity.id, entity)
  if (entity.card.isStreaming) openStream(world, entity, options.streamLifeMs)
  return entity
}

export function openStream({ clock }: World, entity: CardEntity, streamLifeMs: number): void {
  const since = clock.now()
  entity.streamingSince = since
  entity.isCutOff = false
  clock.after(streamLifeMs, () => {
    if (entity.streamingSince !== since) return
    entity.streamingSince = undefined
    entity.isCutOff = true
  })
}

/** Throws unless a text may be streamed now: 200850 the first time after the server closed the stream, then 300309. */
export function checkStream(entity: CardEntity): void {
  if (entity.streamingSince !== undefined) return
  const wasCutOff = entity.isCutOff
  entity.isCutOff = false
  throw wasCutOff ? cardRefusals.timedOut() : cardRefusals.closed()
}

const order = z.looseObject({
  uuid: z.string().min(1).max(64).optional(),
  sequence: z.number().int().min(1).max(2_147_483_647),
})

/** The entity that the call is about. Throws unless it may be changed now; counts nothing yet. */
export function findEntity({ world, limits }: RouteDeps, { path, body }: RouteCall): CardEntity {
  const { uuid, sequence } = check(order, body)
  const entity = world.entities.get(path['card'] ?? '')
  if (entity === undefined) throw cardRefusals.absent()
  if (world.clock.now() - entity.createdAt > lifeMs) throw cardRefusals.expired()
  limits.countCardChange(entity.id)
  if (uuid !== undefined && entity.uuids.has(uuid)) throw cardRefusals.uuidTaken()
  if (sequence <= entity.sequence) throw cardRefusals.outOfOrder()
  const isPressed = [...world.presses.values()].some(
    ({ message, answeredAt }) => message === entity.message && answeredAt === undefined,
  )
  if (isPressed) throw cardRefusals.beingPressed()
  return entity
}

/** Makes the change, in the message too, and remembers its number. */
export function changeEntity(world: World, entity: CardEntity, change: { json: CardJson; body: unknown }): void {
  const { uuid, sequence } = check(order, change.body)
  const card = readEntityCard(change.json)
  entity.json = change.json
  entity.card = card
  entity.sequence = sequence
  if (uuid !== undefined) entity.uuids.add(uuid)
  if (entity.message === undefined) return
  entity.message.card = card
  rewrite(world, entity.message, { content: entity.message.content, text: card.text })
}

/** Calls `change` with the list that holds the element of this id, and its place there; false when there is none. */
export function withElement(json: unknown, id: string, change: (list: unknown[], at: number) => void): boolean {
  if (Array.isArray(json)) {
    const at = json.findIndex((one) => isObject(one) && one['element_id'] === id)
    if (at >= 0) {
      change(json, at)
      return true
    }
    return json.some((one) => withElement(one, id, change))
  }
  return isObject(json) && Object.values(json).some((one) => withElement(one, id, change))
}

/** The text of this id that is no element of a list, such as the text of a `div`. */
export function findText(json: unknown, id: string): Record<string, unknown> | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  if ('element_id' in json && json.element_id === id) return Object.assign(json)
  for (const inner of Object.values(json)) {
    const found = findText(inner, id)
    if (found !== undefined) return found
  }
  return undefined
}
