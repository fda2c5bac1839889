// A scenario as data: what the scripted model says to each request, and what the person does. Both depend on nothing but what they see, so that
// a run with a kill in it asks and says the same.
import type { ModelDecider } from '#test/simulators/model/script.ts'

/** What the model is asked. */
export type Asking = {
  /** The name of the run: a text that only this run has. */
  readonly run: string
  /** Of the services of the world outside. */
  readonly origin: string
  /** The last text of a person in the prompt, with the notes that stand beside it. */
  readonly text: string
  /** All texts of the prompt as one. */
  readonly whole: string
  /** How often the model has called tools in this turn. */
  readonly step: number
  /** What the last of these calls gave. */
  readonly results: readonly string[]
  /** Names of the tools that it is offered. */
  readonly tools: readonly string[]
  /** How often it was asked the same before. */
  readonly before: number
}

type Decided = NonNullable<ReturnType<ModelDecider>>

export type Told = Pick<Decided, 'answer' | 'usage' | 'fault' | 'chunkDelayMs'> & {
  /** Said once the person lets it go (`Person.letGo`). */
  readonly held?: boolean
}

export type Person = {
  readonly run: string
  /** Says it, followed by the run's name. */
  say(text: string): Promise<void>
  /** Gives a command as it stands. */
  command(text: string): Promise<void>
  /** Waits for a message of the bot's that contains this, for the n-th where it says so. */
  hear(part: string, nth?: number): Promise<void>
  /** Waits for a message of the bot's that contains one of these, and says which. */
  hearOneOf(...parts: readonly string[]): Promise<string>
  /** Presses a button, once it is shown. */
  press(label: string): Promise<void>
  /** Waits until the model is asked for the n-th time what it is to hold, or an errand waits. */
  held(what: 'model' | 'errand'): Promise<void>
  letGo(what: 'model' | 'errand'): void
  /** Somebody else says it here. */
  other(text: string): Promise<void>
  /** Somebody else says it here, which is a group then: they own nothing. */
  member(text: string): Promise<void>
  /** The owner says it in that group. */
  owner(text: string): Promise<void>
  /** Replies to the newest message of the bot's that contains this part, in the words that follow. */
  reply(part: string, text: string): Promise<void>
  /** Where the owner speaks to the bot alone, beside a group. */
  readonly direct: Pick<Person, 'command' | 'hear' | 'press'>
  /** Changes what was said last. */
  edit(text: string): Promise<void>
  /** Waits until so many events, those of the turn that runs among them, have been read by the router and are not answered. */
  waiting(count: number): Promise<void>
  /** Waits until so many texts are kept beside the conversation. */
  kept(count: number): Promise<void>
}

export type Opening = { play(person: Person): Promise<void> }

export type Scenario = {
  readonly name: string
  /**
   * `narrow`: a small window, and a short time for a turn. `poor`: little to spend. `alone`: one run at a time, so that whatever its processes do
   * is done for it, and each of them is killed at each of its units.
   */
  readonly stand: 'usual' | 'narrow' | 'poor' | 'alone'
  model(asking: Asking): Told
  /** What comes first. Of scenarios that share it, with the same script of the model until there, one is killed in it. */
  readonly opening?: Opening
  play(person: Person): Promise<void>
  /** A text that a killed run may have instead: what a person is told of a call of which nobody knows whether it took effect. */
  readonly unknown?: string
  /** All that a killed run may have said instead: which of two ends it comes to depends on the moment. */
  readonly orSaid?: readonly string[]
  /** How often the model is asked the same in one try of its own, where it fails: after a kill as often again. */
  readonly tries?: number
  /** How much is done outside, where that is to be seen without a kill too. */
  readonly makes?: number
  /** How often it is summed up depends on how long somebody is silent, so that a record more or less says nothing. */
  readonly sumsUp?: boolean
}

export const text = (said: string, more: Omit<Told, 'answer'> = {}): Told => ({
  answer: { kind: 'text', text: said },
  ...more,
})

type Call = readonly [name: string, input: object]

export const calls = (...made: readonly Call[]): Told => ({
  answer: {
    kind: 'tools',
    calls: made.map(([name, input], i) => ({ id: `c${i}`, name, arguments: JSON.stringify(input) })),
  },
})

/** Answers step by step; beyond the last one it says the same again. */
export const steps =
  (...all: readonly ((asking: Asking) => Told)[]): Scenario['model'] =>
  (asking) => {
    const chosen = all[Math.min(asking.step, all.length - 1)]
    if (!chosen) throw new Error('A script has at least one step.')
    return chosen(asking)
  }
