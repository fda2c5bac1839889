// Feishu refuses a call that the app has no permission for, whoever asks. Each try is a call of the month, so it is not made again for an hour.
import type { Refused } from '#adapters/calls/call-result.ts'
import type { CallResult, Missing } from './answers.ts'
import type { Call, RestApi } from './rest-api.ts'
import { isOfGroups, isOfPermission, toReasonText } from './trouble.ts'

const hourMs = 3_600_000

/** `call`: as that of `api`, of lookups whose paths end in an id. `callAboutGroup`: the same about something of a group, which takes more rights. */
export type CarefulCalls = { readonly call: RestApi['call']; readonly callAboutGroup: RestApi['call'] }

type Deps = {
  /** ms, from any beginning. */
  readonly now: () => number
  readonly say: (text: string) => void
}

export function withoutVainCalls(api: RestApi, { now, say }: Deps): CarefulCalls {
  const vain = new Map<string, { readonly refused: Refused<Missing>; readonly untilMs: number }>()
  let isSaid = false
  const findVain = (kind: string): Refused<Missing> | undefined => {
    const known = vain.get(kind)
    return known && known.untilMs > now() ? known.refused : undefined
  }
  const toKind = ({ path }: Call): string => path.slice(0, path.lastIndexOf('/'))
  const note = (kind: string, refused: Refused<Missing>): void => {
    vain.set(kind, { refused, untilMs: now() + hourMs })
  }

  async function call<T>(one: Call<T>, limit: Parameters<RestApi['call']>[1]): Promise<CallResult<T>> {
    const kind = toKind(one)
    const known = findVain(kind)
    if (known) return known
    const result = await api.call(one, limit)
    if (result.kind === 'refused' && isOfPermission(result)) note(kind, result)
    return result
  }
  return {
    call,
    async callAboutGroup(one, limit) {
      const kind = `group ${toKind(one)}`
      const known = findVain(kind)
      if (known) return known
      const result = await call(one, limit)
      if (result.kind !== 'refused' || !isOfGroups(result)) return result
      note(kind, result)
      if (!isSaid) say(toReasonText(result))
      isSaid = true
      return result
    },
  }
}
