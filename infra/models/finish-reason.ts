// Why a model ended, as endpoints name it: an open list, whose spelling differs from vendor to vendor. Pure.

/** `unknown`: neither an end nor a limit by any name that is known. `failed`: the service broke off. */
export type FinishReason = 'end' | 'length' | 'filtered' | 'failed' | 'unknown'

const ends =
  /^(?:stop|stopsequence|stoptoken|endturn|endofturn|eos|eostoken|endoftext|complete|completed|completion|finish|finished|done|end|ended|natural|normal|success|succeeded|ok|toolcalls?|tooluse|functioncalls?|null|none)$/
const limits =
  /^(?:length|lengthlimit|maxlength|(?:max(?:imum)?)?(?:output|completion|new|generation)?tokens?(?:limit|reached|exceeded)?|tokenlimit(?:reached|exceeded)?|limit|limitreached|(?:model)?context(?:window|length)?(?:exceeded|limit|full|overflow)?|modellength|truncated)$/
const filters =
  /filter|safety|sensitive|recitation|blocklist|blocked|prohibited|spii|moderat|guardrail|refus|policy|censor|harm|violat/
const failures =
  /error|fail|insufficient|abort|cancel|interrupt|timeout|timedout|network|unavailable|overload|malformed|unexpected|disconnect|exception/

export function readFinish(reason: string): FinishReason {
  const name = reason
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/^(?:finishreason|stopreason)/, '')
  if (ends.test(name)) return 'end'
  if (limits.test(name)) return 'length'
  if (filters.test(name)) return 'filtered'
  return failures.test(name) ? 'failed' : 'unknown'
}

const closing = /[\p{Pe}\p{Pf}"'`*_~|>\s]/u
const ending = /[.!?…。！？؟।։።។;；:：\p{Extended_Pictographic}️]$/u

/** Whether a text stands as if its writer had ended it: with a mark that ends a sentence, a block of code, a row of a table or a list. */
export function seemsWhole(text: string): boolean {
  const trimmed = text.trimEnd()
  if (trimmed === '') return false
  const fences = trimmed.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0
  if (fences % 2 === 1) return false
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1)
  if (/^ {0,3}(?:```|~~~)\s*$/.test(last) || /^\|.*\|$/.test(last)) return true
  let end = last.length
  while (end > 0 && closing.test(last.charAt(end - 1))) end -= 1
  const bare = last.slice(0, end)
  return ending.test(bare) || (bare === '' && last !== '')
}

/** An answer of a word or a number, which ends with no mark. */
export const isBrief = (text: string): boolean => /^[\p{L}\p{N}.,:%€$£¥ -]{0,23}[\p{L}\p{N}%€$£¥]$/u.test(text.trim())
