// The part of a conversation's state that one feature alone folds.
import type { z } from 'zod'
import type { Cancel } from '#shared/run/step.ts'
import type { Kept } from './kept.ts'

/** Whether a plain text is anywhere in it. */
type HasText<S> =
  S extends Kept<unknown>
    ? false
    : S extends string
      ? string extends S
        ? true
        : false
      : S extends readonly (infer Item)[]
        ? HasText<Item>
        : S extends object
          ? { readonly [Name in keyof S]-?: HasText<S[Name]> }[keyof S]
          : false
type Problem = { readonly problem: 'A slice keeps words of anybody as Kept, and texts of ours as Ours.' }

/** The schema of a slice in which nothing is a plain text: words that anybody chose are `Kept`, ids and the like `Ours`. So none loses whose it is. */
export type SliceSchema<S> = z.ZodType<S> & { readonly isStorable: true }
export const storable = <S>(schema: z.ZodType<S> & (true extends HasText<S> ? Problem : unknown)): SliceSchema<S> =>
  Object.assign(schema, { isStorable: true } as const)

export type Slice<S, C = unknown> = {
  /** Of what is stored, as JSON. A new shape must read the old one. */
  readonly schema: SliceSchema<S>
  readonly fresh: S
  /** Pure. */
  fold(slice: S, change: C): S
  /** What is left of it when a session ends; all of it when left out. */
  inNewSession?(slice: S): S
  /** Without what waits for people and is called off, by `/stop` for instance; nothing is when left out. */
  calledOff?(slice: S, which: Cancel): S
  /** What is left of it when the conversation is put away after long silence; nothing when left out, or when it is as fresh. */
  atRest?(slice: S): S
  /**
   * Without what it keeps of a message that was deleted or is to be forgotten: `about` names the messages wherever there is something to be
   * kept. It keeps nothing of messages when this is left out.
   */
  forget?(slice: S, messageId: string): S
}
