// What the tests of the Telegram simulator share: a simulator with the real grammY client, and the refusal of a call.
import { Api, GrammyError } from 'grammy'
import {
  startTelegramSimulator,
  type TelegramSimulator,
  type TelegramSimulatorOptions,
} from '#test/simulators/telegram/simulator.ts'

/** A sendMessage whose client can leave; grammY's own signal type is not Node's. */
export type Post = (text: string, signal: AbortSignal) => Promise<unknown>

export type Rig = AsyncDisposable & { readonly telegram: TelegramSimulator; readonly api: Api; post: Post }

/** A simulator in which person 7 has said "hi" in the private chat 7, as message 1. */
export async function startRig(options: TelegramSimulatorOptions = {}): Promise<Rig> {
  const telegram = await startTelegramSimulator(options)
  telegram.sendText({ from: 7, text: 'hi' })
  return {
    telegram,
    api: new Api(telegram.token, { apiRoot: telegram.apiRoot }),
    post: (text, signal) => {
      const query = new URLSearchParams({ chat_id: '7', text })
      return fetch(`${telegram.apiRoot}/bot${telegram.token}/sendMessage?${query.toString()}`, { signal })
    },
    [Symbol.asyncDispose]: () => telegram.close(),
  }
}

export type Refusal = Pick<GrammyError, 'error_code' | 'description' | 'parameters'>

/** The Bot API's refusal of this call; throws when it succeeded or failed otherwise. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (outcome instanceof GrammyError) return outcome
  throw new Error(`The call was not refused but gave ${String(outcome)}`)
}
