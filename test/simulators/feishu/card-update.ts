// Changes a card with the credential of a press: within thirty minutes, twice, and only after the press was answered: what comes before
// is undone by the answer. https://open.feishu.cn/document/ukTMukTMukTM/uMDO1YjLzgTN24yM4UjN
import { z } from 'zod'
import { FeishuError } from './api-error.ts'
import { isObject, type CardJson } from './card-json.ts'
import { readCard, type ShownCard } from './card.ts'
import { maxCardBytes } from './message-content.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { rewrite } from './world.ts'

const update = z.looseObject({ token: z.string(), card: z.unknown() })

const lifeMs = 1_800_000
const maxUses = 2

/** Its refusals come with HTTP 200. */
export function updateByPress({ world }: RouteDeps, { body }: RouteCall): RouteResult {
  const given = check(update, body)
  const press = world.presses.get(given.token)
  if (press === undefined) throw refuse(300_020, 'the token format is incorrect')
  if (world.clock.now() - press.at > lifeMs) throw refuse(300_030, 'the token has expired')
  if (press.uses >= maxUses) throw refuse(300_040, 'the token has been used for the maximum number of times')
  if (press.message.isRecalled) throw refuse(200_000, 'the card message has been recalled')
  if (!isObject(given.card)) throw refuse(10_002, 'the card parameter is not specified')
  const { open_ids: openIds, ...json } = given.card
  const content = JSON.stringify(json)
  if (Buffer.byteLength(content) > maxCardBytes) throw refuse(100_000, 'the card content is too large')
  const card = read(json)
  if (!card.isShared && card.schema === '1.0' && openIds === undefined) {
    throw refuse(300_090, 'open_ids must be specified for the non-shared card')
  }
  press.uses += 1
  rewrite(world, press.message, { content, text: card.text })
  press.message.card = card
  return { data: {}, message: press.message.id }
}

function refuse(code: number, words: string): FeishuError {
  return new FeishuError(200, code, words)
}

function read(json: CardJson): ShownCard {
  try {
    return readCard(json)
  } catch (error) {
    if (error instanceof FeishuError) throw refuse(11_311, error.message)
    throw error
  }
}
