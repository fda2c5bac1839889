// The routes about card entities.
import { z } from 'zod'
import {
  cardRefusals,
  changeEntity,
  checkStream,
  createEntity,
  findEntity,
  findText,
  openStream,
  withElement,
} from './card-entity.ts'
import { isObject, type CardJson } from './card-json.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import type { CardEntity } from './world.ts'

const newCard = z.looseObject({ type: z.enum(['card_json', 'template']), data: z.string().min(1).max(3_000_000) })
const wholeCard = z.looseObject({ card: z.looseObject({ type: z.literal('card_json'), data: z.string().min(1) }) })
const settings = z.looseObject({ settings: z.string().min(1).max(100_000) })
const content = z.looseObject({ content: z.string().min(1).max(100_000) })
const added = z.looseObject({
  type: z.enum(['insert_before', 'insert_after', 'append']),
  target_element_id: z.string().optional(),
  elements: z.string(),
})
const replaced = z.looseObject({ element: z.string() })
const patched = z.looseObject({ partial_element: z.string() })
const converted = z.looseObject({ message_id: z.string() })

export function createCard(deps: RouteDeps, { body }: RouteCall): RouteResult {
  const given = check(newCard, body)
  if (given.type === 'template') throw cardRefusals.invalid('template does not exist')
  return { data: { card_id: createEntity(deps, parse(given.data)).id } }
}

/** Everything anew. */
export function updateCard(deps: RouteDeps, call: RouteCall): RouteResult {
  const given = check(wholeCard, call.body)
  const entity = findEntity(deps, call)
  return finish(deps, entity, { json: parse(given.card.data), body: call.body })
}

/** `config` and `card_link`; `streaming_mode` opens and closes the stream. */
export function updateCardSettings(deps: RouteDeps, call: RouteCall): RouteResult {
  const { config = {}, card_link: link, ...rest } = parse(check(settings, call.body).settings)
  if (!isObject(config) || Object.keys(rest).length > 0) throw cardRefusals.invalid('invalid settings')
  const entity = findEntity(deps, call)
  const old = isObject(entity.json['config']) ? entity.json['config'] : {}
  const json = { ...entity.json, config: { ...old, ...config }, ...(link === undefined ? {} : { card_link: link }) }
  const result = finish(deps, entity, { json, body: call.body })
  if (config['streaming_mode'] === true && entity.streamingSince === undefined) {
    openStream(deps.world, entity, deps.options.streamLifeMs)
  }
  if (config['streaming_mode'] === false) {
    entity.streamingSince = undefined
    entity.isCutOff = false
  }
  return result
}

/** The full text of a markdown element or a plain text, while the card is streamed. What continues the text before is written letter by letter. */
export function updateCardContent(deps: RouteDeps, call: RouteCall): RouteResult {
  const given = check(content, call.body)
  const entity = findEntity(deps, call)
  checkStream(entity)
  const id = call.path['element'] ?? ''
  const json = structuredClone(entity.json)
  const text = findText(json, id)
  if (text === undefined) throw cardRefusals.noElement(id)
  if (text['tag'] !== 'markdown' && text['tag'] !== 'plain_text') throw cardRefusals.onlyText()
  const before = text['content']
  text['content'] = given.content
  const result = finish(deps, entity, { json, body: call.body })
  if (typeof before === 'string' && !given.content.startsWith(before)) entity.jumps += 1
  return result
}

export function addCardElements(deps: RouteDeps, call: RouteCall): RouteResult {
  const given = check(added, call.body)
  const elements = parseList(given.elements)
  const entity = findEntity(deps, call)
  const json = structuredClone(entity.json)
  const { target_element_id: target, type } = given
  if (target === undefined) {
    if (type !== 'append') throw cardRefusals.invalid('target_element_id is required')
    const body = isObject(json['body']) ? json['body'] : {}
    if (!Array.isArray(body['elements'])) throw cardRefusals.invalid('the card has no elements')
    body['elements'].push(...elements)
    return finish(deps, entity, { json, body: call.body })
  }
  const isFound = withElement(json, target, (list, at) => {
    if (type !== 'append') return void list.splice(type === 'insert_before' ? at : at + 1, 0, ...elements)
    const holder = list[at]
    if (!isObject(holder) || !Array.isArray(holder['elements'])) throw cardRefusals.invalid('the target holds nothing')
    holder['elements'].push(...elements)
  })
  if (!isFound) throw cardRefusals.noElement(target)
  return finish(deps, entity, { json, body: call.body })
}

export function updateCardElement(deps: RouteDeps, call: RouteCall): RouteResult {
  const element = parse(check(replaced, call.body).element)
  return change(deps, call, (list, at) => void list.splice(at, 1, element))
}

/** Some properties of an element; its tag stays. */
export function patchCardElement(deps: RouteDeps, call: RouteCall): RouteResult {
  const partial = parse(check(patched, call.body).partial_element)
  if (partial['tag'] !== undefined) throw cardRefusals.invalid('tag can not be changed')
  return change(deps, call, (list, at) => {
    const old = list[at]
    list.splice(at, 1, { ...(isObject(old) ? old : {}), ...partial })
  })
}

export function deleteCardElement(deps: RouteDeps, call: RouteCall): RouteResult {
  return change(deps, call, (list, at) => void list.splice(at, 1))
}

function change(deps: RouteDeps, call: RouteCall, act: (list: unknown[], at: number) => void): RouteResult {
  const id = call.path['element'] ?? ''
  const entity = findEntity(deps, call)
  const json = structuredClone(entity.json)
  if (!withElement(json, id, act)) throw cardRefusals.noElement(id)
  return finish(deps, entity, { json, body: call.body })
}

/** The entity of a message's card. */
export function convertCardId({ world }: RouteDeps, { body }: RouteCall): RouteResult {
  const entity = world.messages.get(check(converted, body).message_id)?.entity
  if (entity === undefined) throw cardRefusals.absent()
  return { data: { card_id: entity.id }, message: entity.message?.id }
}

function finish({ world }: RouteDeps, entity: CardEntity, made: { json: CardJson; body: unknown }): RouteResult {
  changeEntity(world, entity, made)
  return { data: {}, message: entity.message?.id }
}

function parse(text: string): CardJson {
  const json = toJson(text)
  if (!isObject(json)) throw cardRefusals.empty()
  return json
}

function parseList(text: string): readonly unknown[] {
  const json = toJson(text)
  if (!Array.isArray(json) || json.length === 0) throw cardRefusals.invalid('invalid elements')
  return json
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
