// Changes a card with the credential of a press: within thirty minutes, twice, and only after the press was answered: what comes before
// is undone by the answer. https://open.feishu.cn/document/ukTMukTMukTM/uMDO1YjLzgTN24yM4UjN
import { z } from 'zod'
import { FeishuError } from './api-error.ts'
import { isObject } from './card-json.ts'
import { readCard } from './card.ts'
import { maxCardBytes } from './message-content.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { rewrite } from './world.ts'

const update = z.looseObject({ token: z.string(), card: z.unknown() })

const lifeMs = 1_800_000
const maxUses = 2

/** Its refusals come with HTTP 200, but for a card that cannot be read. */
export function updateByPress({ world }: RouteDeps, { body }: RouteCall): RouteResult {
  const given = check(update, body)
  const press = world.presses.get(given.token)
  const refuse = (words: string) => new FeishuError(200, 300_060, words)
  if (press === undefined) throw new FeishuError(200, 10_002, 'invalid token')
  if (world.clock.now() - press.at > lifeMs) throw refuse('token is expired')
  if (press.uses >= maxUses) throw refuse('token has been used too often')
  if (press.message.isRecalled) throw refuse('message is recalled')
  if (!isObject(given.card)) throw new FeishuError(200, 10_002, 'invalid card')
  const content = JSON.stringify(given.card)
  if (Buffer.byteLength(content) > maxCardBytes) throw new FeishuError(200, 300_061, 'card is too large')
  const card = readCard(given.card)
  press.uses += 1
  rewrite(world, press.message, { content, text: card.text })
  press.message.card = card
  return { data: {}, message: press.message.id }
}
