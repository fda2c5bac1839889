// Tenant access tokens: two hours each; the same one is given again until its last half hour, then a new one beside it. They live by the
// machine's time, as the bot does: moving the simulator's clock ends none of them, `revoke` does.
// https://open.feishu.cn/document/ukTMukTMukTM/ukDNz4SO0MjL5QzM/auth-v3/auth/tenant_access_token_internal
import { newId } from './ids.ts'

const lifeMs = 7_200_000
const renewMs = 1_800_000

export type Tokens = {
  /** The newest one, with the seconds that it still has. */
  give(): { readonly token: string; readonly expire: number }
  isValid(token: string): boolean
  /** None that was given works any more. */
  revoke(): void
}

export function createTokens(): Tokens {
  let given: { readonly token: string; readonly until: number }[] = []
  return {
    give: () => {
      const now = Date.now()
      given = given.filter(({ until }) => until > now)
      let last = given.at(-1)
      if (last === undefined || last.until - now < renewMs) {
        last = { token: newId.token(), until: now + lifeMs }
        given.push(last)
      }
      return { token: last.token, expire: Math.floor((last.until - now) / 1000) }
    },
    isValid: (token) => given.some((one) => one.token === token && one.until > Date.now()),
    revoke: () => {
      given = []
    },
  }
}
