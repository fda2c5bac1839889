// Whether a text holds a secret: a password, a key, a PIN, a card number, recovery words, or what looks like a token. A word such as "password" alone is
// none ("the password manager is Bitwarden"); a value behind it is.

/** Shapes of tokens that services give out, of keys, and of addresses with credentials. */
const shape =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY|(?<![A-Za-z\d])(?:(?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj[-_]|ant[-_])?[\w-]{12}|gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abpors]-[\w-]{10}|xapp-[\w-]{10}|A(?:KI|SI)A[A-Z\d]{12}|AIza[\w-]{30}|ya29\.[\w-]{16}|eyJ[\w-]{8,400}\.[\w-]{8}|hf_\w{20}|npm_\w{20}|dop_v1_\w{20}|SG\.[\w-]{16}|\d{6,12}:[\w-]{30}|0x[\da-fA-F]{64})|[a-z][a-z\d+.-]{1,20}:\/\/[^\s/@:]{1,80}:[^\s/@]{1,80}@|(?<![A-Za-z])(?:Bearer|Basic) [\w.~+/=-]{12}/u
/** Thirteen to nineteen figures in groups as on a card. */
const card = /(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-]|\.\d)/gu
/** One long word of letters of both sizes and figures, or of hexadecimal figures. */
const longWord = /(?<![\w/.@:-])[A-Za-z\d_+/=-]{20,200}(?![\w.@])/gu

/** Whatever stands behind such a word is a value, but for the words below. */
const keyword =
  /(?<![a-z])(?:p(?:as{1,3})[ -]?(?:words?|wort|code|phrase|key)|passwd|pwd|pin(?:[ -]?(?:code|number))?|secret (?:key|code|word|answer|phrase)|(?:seed|recovery|backup|mnemonic|wallet) (?:phrase|words?|codes?|key)|(?:door|gate|alarm|entry|safe|lock|access|security|backup|recovery|verification|confirmation|unlock|login|sign-in|garage|keypad|padlock|entrance|building|house|one-time|2fa|mfa|sms|bike lock)[ -]?(?:pass)?code|(?:safe|lock|locker|padlock) combination|combination (?:to|of|for) (?:the|my|our)|cvv|cvc|card number|mother['’]s maiden name)(?![a-z])/giu
/** A value behind such a word has figures or signs. */
const weakKeyword =
  /(?<![a-z])(?:pw|(?:api|access|private|secret|ssh|signing|encryption|master|license|licence|wifi|wi-fi|wpa|product|admin|root|account|app)[ -]?key|(?:access|api|auth|bearer|refresh|bot|session|login|security)[ -]?token|token|login(?: details| data)?|credentials?|otp|2fa|(?:credit|debit|bank) card)(?![a-z])/giu
const hanKeyword =
  /密码|口令|私钥|助记词|验证码|校验码|安全码|动态码|支付码|解锁码|恢复码|恢复短语|门禁码|开门码|卡号|cvv/giu
const hanWeakKeyword = /密钥|秘钥|令牌|访问码|信用卡|银行卡|储蓄卡|token/giu

/** What may stand behind the word and is no value. */
const noValue =
  /^(?:['’]?s|is|are|was|will|has|to|for|of|of the|in|at|on|and|or|that|which|we|i|my|our|your|the|a|an|manager|policy|reset|field|rules?|prompt|protected|hint|expires?|expired|due|too|weak|strong|old|stored|kept|saved|wrong|not|never|required|needed|changed|changes?|changing|rotated?|rotates?|every|managed|must|should|may|can|cannot|safe|shared|only|always|with|by|from|under|written|known|both|still|good|gone|lost|forgotten|new|hidden|secret|same|as|it|there|here|limit|limits|budget|count|counts|usage|price|prices|window|board|screen|page|office|number|reader|holder|company|bank|payments?)$/iu
const value = /[\d!#$%&*+=^_~-]|[a-z][A-Z]/u

/** Linear in the text. */
export function isSecret(text: string): boolean {
  return (
    shape.test(text) ||
    [...text.matchAll(card)].some(([number]) => isCard(number)) ||
    [...text.matchAll(longWord)].some(([word]) => isRandom(word)) ||
    isWordRow(text) ||
    isBehind(text, keyword, isGiven) ||
    isBehind(text, weakKeyword, (behind) => isGiven(behind, value)) ||
    isBehind(text, hanKeyword, isGivenHan) ||
    isBehind(text, hanWeakKeyword, (behind) => isGivenHan(behind, /\d{3}|[A-Za-z]\d|\d[A-Za-z]/u)) ||
    valueFirst.test(text)
  )
}

function isBehind(text: string, word: RegExp, isFollowed: (behind: string) => boolean): boolean {
  return [...text.matchAll(word)].some((found) => {
    const from = found.index + found[0].length
    return isFollowed(text.slice(from, from + 100))
  })
}

/** The check digit of cards: the sum in which each second figure from the end counts double. */
function isCard(written: string): boolean {
  // A Chinese identity number has its birthday there.
  if (/^\d{6}(?:19|20)\d{9}[\dxX]$/u.test(written)) return false
  const digits = [...written.replaceAll(/[ -]/gu, '')].map(Number)
  const sum = digits.toReversed().reduce((total, digit, at) => {
    const twice = at % 2 === 1 ? digit * 2 : digit
    return total + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return sum % 10 === 0 || /^\d{4}([ -])\d{4}\1\d{4}\1\d{4}$/u.test(written)
}

function isRandom(word: string): boolean {
  if (/^[\da-f]{32,200}$/iu.test(word) && /\d/u.test(word) && /[a-f]/iu.test(word)) return true
  return (
    /[a-z]/u.test(word) && /[A-Z]/u.test(word) && (word.match(/\d/gu)?.length ?? 0) >= 2 && !/[-_/].*[-_/]/u.test(word)
  )
}

const filler = new Set(
  'the a an and or but is are was were be to of in on at for with my i we you he she it they our your not that this from by as have has had will can do does me us so if when who what which all any no more most very than then there'.split(
    ' ',
  ),
)

/** Twelve plain words and more without a single word of grammar: recovery words. */
function isWordRow(text: string): boolean {
  let row = 0
  for (const word of text.split(/[\s,;，、]{1,9}/u)) {
    row =
      /^(?:\d{1,2}[.)]?)?[a-z]{3,8}$/u.test(word) && !filler.has(word)
        ? row + 1
        : /^\d{1,2}[.)]?$/u.test(word)
          ? row
          : 0
    if (row >= 12) return true
  }
  return false
}

const toValue =
  /^(?:[ -](?:number|code|word))?(?: (?:to|of|for|on|at)(?: [\w'’-]{1,20}){1,4}?)?(?: (?:is|are|will be|reads|:|=)|[:=：]| ?->| ?→|['’]s)(?: (?:now|still|currently|just|simply|always))?\s{0,3}["'“‘(]?(\S{1,60})/iu
const bareValue = /^\s{0,3}["'“‘(]?(\S{1,60})/u

function isGiven(behind: string, needs?: RegExp): boolean {
  const [, given] = toValue.exec(behind) ?? []
  const [, next = ''] = bareValue.exec(behind) ?? []
  const word = (given ?? next).replace(/[.,;!?"'”’)]{1,4}$/u, '')
  if (given !== undefined) return needs ? needs.test(word) : !noValue.test(word)
  return value.test(word) && !/^[-–—:]/u.test(word)
}

const hanValue = /^[^，。,；;]{0,12}?(?:是|为|：|:|=|改成|改为|换成)\s{0,3}["'“‘「『]?([^\s，。,；;]{2,40})/u
const hanBare = /^[^，。,；;]{0,6}?\s{0,2}([A-Za-z\d][\w!@#$%^&*.-]{2,40})/u
const hanNoValue =
  /^(?:[你我他她什谁怎多]|大家|为了|需要|必须|要|不|没|由|每|在|放|存|保|共享|统一|定期|自动|同一|一样|通用|强|弱)/u

function isGivenHan(behind: string, needs?: RegExp): boolean {
  const [, bare] = hanBare.exec(behind) ?? []
  const [, given] = hanValue.exec(behind) ?? []
  if (needs) return [bare, given].some((word) => word !== undefined && needs.test(word))
  return bare !== undefined || (given !== undefined && !hanNoValue.test(given))
}

/** "4821 is my PIN", "hunter2 is the wifi password", 2049 是我的密码. */
const valueFirst =
  /(?<![\w!@#$%^&*.-])[\w!@#$%^&*.-]{3,40} is (?:my|our|the|his|her|your)(?: [\w'’-]{1,20}){0,3} (?:password|passcode|passphrase|pin|token|code to|door code|gate code|alarm code|key code)(?![a-z]| (?:manager|policy|reset|prompt|field))|(?<![\w!@#$%^&*.-])[\w!@#$%^&*.-]{3,40} ?(?:就是|是|为)(?:我|我们|咱|他|她|这)?[^，。,\s]{0,8}(?:密码|口令|密钥|验证码)/iu
