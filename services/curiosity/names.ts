// How people of a session are called where it is looked through: names are chosen by their bearers, and a question goes to whom its name says.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import { bot } from '#services/curiosity/gaps/dialogue.ts'

export type Names = ReadonlyMap<PrincipalId, string>

type Named = { readonly principal: PrincipalId; readonly name: string | undefined }

/** What a sentence would name by chance. */
const fewestLetters = 2

/** A name that every sentence holds: whoever bears it would be asked what is meant for another. */
const isPlainWord =
  /^(?:(?:the|an?|my|your|our|his|her|their|its|this|that|these|those|some|every|each|all|no) .{0,200}|you|your|yours|me|we|us|he|she|it|him|her|they|them|everybody|everyone|anybody|anyone|somebody|someone|nobody|all|both|people|members?|who|what|which|guests?|你们|我们|他们|她们|咱们|大家|所有人|每个人|各位|有人|自己|对方|某人|群里.{0,20})$/iu

/**
 * Each person has one name, the newest, and each name one person. Those who share one, or are called by a plain word, have a number behind it, so that nobody is asked what another one was
 * named for; and nobody is called as the bot is.
 */
export function toNames(people: readonly Named[], language: Language): Names {
  const unknown = { zh: '对方', en: 'The person' }[language]
  const newest = new Map(people.map(({ principal, name }) => [principal, toName(name) ?? unknown]))
  const bearers = Map.groupBy(newest, ([, name]) => name.toLowerCase())
  const isNumbered = (name: string): boolean =>
    name.toLowerCase() === bot || isPlainWord.test(name) || (bearers.get(name.toLowerCase())?.length ?? 0) > 1
  const places = new Map([...newest.keys()].map((principal, at) => [principal, at + 1]))
  return new Map(
    [...newest].map(([principal, name]) => [
      principal,
      isNumbered(name) ? `${name} #${places.get(principal) ?? 0}` : name,
    ]),
  )
}

/** Whether somebody can be called by it. */
export const isTold = (name: string | undefined): boolean => {
  const plain = toName(name)
  return plain !== undefined && plain.toLowerCase() !== bot
}

/** Undefined for one that has too few letters. */
function toName(name = ''): string | undefined {
  const plain = name.trim()
  return (plain.match(/\p{L}/gu)?.length ?? 0) < fewestLetters ? undefined : plain
}
