// What is never asked of anybody, whoever wants it asked: a closed list, checked on the finished question. It errs on the side of refusing.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { toSimplified } from '#shared/chat/simplified.ts'

export type ForbiddenMatter = 'secret' | 'money' | 'health' | 'identity' | 'right' | 'others'

/** What a person is shown of a question. */
export type Shown = { readonly ask: string; readonly why: string; readonly options?: readonly string[] }

export type ForbiddenDeps = {
  /** Whether memory refuses to keep such a text in a group, for another reason than a right that it grants. */
  isRefused(text: string): boolean
}

const mostChars = 2000
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu

/** Letters of other scripts, and figures, that look like Latin letters. */
const alike: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ё: 'e',
  һ: 'h',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  ѡ: 'w',
  ԝ: 'w',
  ո: 'n',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  γ: 'y',
  σ: 'o',
  ı: 'i',
  ɑ: 'a',
  ɡ: 'g',
  ʟ: 'l',
  ɪ: 'i',
  ѵ: 'v',
  ß: 'b',
}
const figures: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}

const secret =
  /pass[ _-]{0,2}(?:words?|codes?|phrases?|wort)|passwd|\bpwd\b|\bpins?\b(?! (?:it|the|this|board|on|down)\b)|\b(?:pin|login|security|verification|confirmation|unlock|backup|recovery|door|gate|alarm|safe|one.?time|sms|access|activation|cvv|cvc|otp|2fa|mfa) ?(?:code|number|key|token|word|question)s?\b|\b(?:cvv|cvc|otp)\b|\b(?:private|secret|api|ssh|encryption|master|signing|recovery|licen[cs]e|wallet) ?(?:key|phrase|word|token)s?\b|\b(?:wi-?fi|wpa|network|router|shed|locker|bike|lock|room|building|house|garage) ?(?:key|code)s?\b|\bpw\b|\b(?:what|which)(?:['’]s| is| are) (?:the |your )?login\b(?! (?:page|form|screen|flow|button))|\b(?:which|what) code (?:does|do|opens|is)\b|\bseed phrase|\b\w{3,5}-digit codes?\b|\bcodes? (?:\w+ ){0,3}(?:texted|sent|mailed)\b|\b(?:texted|sent) (?:you|him|her|them) (?:a|the) code\b|\bthe combination\b(?! of)|\bcombination (?:opens|unlocks)\b|\b(?:access|auth|bearer|session|api|bot) ?tokens?\b|\bcredentials?\b|\bcard numbers?\b|\bmaiden name\b|\bsecrets?\b|密码|口令|私钥|密钥|秘钥|助记词|验证码|校验码|安全码|动态码|支付码|付款码|解锁码|恢复码|门禁码|开门码|卡号|令牌|登录(?:名|凭证|信息)|密保|\bcvv\b|暗号|秘密|\b(?:code|combination|number|pattern) (?:for|of|to) (?:the|your|my|his|her|their|our) (?:[\p{L}'’-]{1,20} )?(?:alarm|locks?|doors?|gate|safe|vault|house|garage|phone|tablet|laptop|computer|bikes?|building|office|flat|apartment|card|account|wi-?fi|server|box|locker|suitcase|shed|cellar)\b|\b(?:unlock|swipe) pattern\b|\bsecurity question|\b(?:first )?pet['’]s name\b|\bmot de passe\b|contrase[nñ]a|\bclave de acceso\b|\b(?:kennwort|geheimzahl|geheimnummer|wachtwoord|senha|lozinka|parola)\b|пароль|пин-?код|パスワード|暗証番号|비밀번호|암호|(?:门禁|门锁|保险柜|保险箱|密码锁|手机锁?)的?(?:数字|号码|图案)|(?:开锁|解锁|开门)的?(?:数字|号码|方法)|保险(?:柜|箱)怎么(?:打)?开|(?:开机|解锁|手势)图案/iu
const money =
  /\b(?:salar(?:y|ies)|wages?|income|earn(?:s|ed|ings?)?|pay ?(?:slip|check|cheque|rise)|net worth|savings?\b(?! time)|debts?|owes?|owed|owing|loans?|mortgage|overdraft|credit (?:score|limit|card)|debit card|bank (?:account|balance|details|card)|account (?:number|balance)|iban|sort code|pension|inheritance|alimony|afford|budgets?|how much (?:money|can you (?:spend|pay)|do you (?:have to spend|spend|pay|want to (?:spend|pay)))|(?:can|could|willing to|want to|able to) (?:spend|pay)|bonus(?:es)?|commission|tax (?:return|number|id)|price range|your rent|transfer (?:the )?(?:money|funds|sum)|your payments?)\b|工资|薪水|薪资|月薪|年薪|底薪|薪酬|收入|奖金|年终奖|提成|欠(?:款|债|钱|多少)|欠.{0,6}钱|贷款|房贷|车贷|负债|债务|存款|积蓄|银行(?:账|卡)|账户|账号余额|余额|养老金|公积金|彩礼|私房钱|遗产|房租|预算|花(?:得起|多少钱|得了多少)|(?:能|可以|打算|准备|愿意|想)花多少|多少钱|几多钱|付(?:得起|多少|款)|转账|打款|汇款|有钱|身家|资产|\b(?:pay|pays|paying|lend|lends|lending|treat(?:s|ing)? (?:us|them|everybody|everyone))\b(?! attention)|\b(?:give|gives|giving|get|gets) (?:\w+ )?(?:the |his |her |their |your )?money\b|\b(?:cover|covers|split|splits|foot|foots|pick up|settle|share)s? the (?:bill|costs?|check|tab)\b|\bchips? in\b|\b(?:the|your|his|her|their) rent\b|\bhow much (?:do|does|did|would|will|can|could) [\p{L}'’-]{1,30} (?:spend|pay|give|donate|contribute|make|get paid)\b|\b(?:you|he|she|they) (?:is|are) broke\b|\b(?:are|is) (?:you|he|she|they) broke\b|\bin the red\b|\b(?:put|puts) down (?:for|on) (?:a|the|your) (?:car|house|flat|home)\b|\bdown payment\b|\b(?:saved|put) (?:up|aside|by)\b|\b(?:offer(?:ed|ing)?|pay|make|making)\b[^?]{0,30}\b(?:per|a|each) (?:year|month|week|hour)\b|\b(?:take|takes|taking|took)[ -]?home\b|\b(?:after|before) tax(?:es)?\b|\bpay ?check|\bcompensation\b|\b(?:gehalt|lohn|salaire|salario|sueldo|stipendio|loon)\b|зарплат|給料|給与|월급|请客|出钱|掏(?:腰包|钱)|买单|埋单|还钱|借(?:你|我|他|她)?钱|到手|首付|挣(?:多少|几)|(?:能|可以?)(?:拿得?出|花)的?钱|拿得?出多少|凑(?:钱|份子)|借(?:给|了|走).{0,8}钱|钱.{0,4}还(?:了|清|没)|手头(?:紧|宽|有)/iu
const health =
  /\b(?:health|ill(?:ness(?:es)?)?|sick(?:ness)?|disease|diagnos\w+|medic(?:ine|al|ation)s?|meds|pills?|doctors?|therap(?:y|ist)|hospital|surgery|pregnan\w+|biops\w+|blood tests?|mri|x-?rays?|test results?|ultrasound|chemo\w*|allerg\w+|intoleran\w+|disab(?:led|ility)|depress\w+|anxiety|blood (?:pressure|type|group|sugar)|diabet\w+|cancer|hiv|covid|symptoms?|injur(?:y|ies|ed)|weigh(?:t)? (?:do|are) you|knees?|joints|how much do you weigh|your (?:body )?weight|wheelchair|addict\w*|alcoholic|mental)\b|健康|生病|病(?:情|史|历|假|了|因)|什么病|疾病|得病|患病|毛病(?=吗|？|$)|吃药|服药|药(?:物|名)|用药|手术|住院|怀孕|孕|过敏|忌口是因为|残疾|抑郁|焦虑|血压|血糖|血型|糖尿|癌|肿瘤|症状|受伤|伤情|体重|体检|医生|医院|看病|膝盖|牙口|心理(?:医生|问题|咨询)|月经|疫苗|\b(?:smokes|smokers?|(?:do|does) [\p{L}'’-]{1,30} smoke)\b|\b(?:have|has|had|having|with) (?:a |the )?(?:cold|flu|fever|headache|migraine)\b|\b(?:hurts?|hurting|aches?|in pain)\b|\bsleeps? (?:well|badly|enough)\b|\bhow heavy (?:is|are) (?!the |it |this |that |these |those )[\p{L}'’-]{1,30}|\bhow heavy (?!the |it |this |that |these |those )[\p{L}'’-]{1,30} (?:is|are)\b|\bhow much (?:does |do )?(?!the |it |this |that |each |one )[\p{L}'’-]{1,30} weighs?\b|\b(?:krankheit|maladie|enfermedad|malattia)\b|吃.{0,4}药|(?:什么|哪种|哪些)药|抽不抽烟|抽烟|吸烟|酗酒|[你他她您](?:有)?多重|睡得(?:好|怎么)/iu
const identity =
  /\b(?:passport|national id|id ?card|identity(?: card| number| document)?|id number|social security|ssn|driver['’]?s? licen[cs]e|driving licen[cs]e|date of birth|birth ?date|(?:your|his|her|their|\w+['’]s) birthday\b(?! (?:party|cake|present|gift|card|dinner|treasure))|how old are you|home address|private (?:address|number)|home (?:telephone|phone) number|fingerprints?|visa number|residence permit|insurance number|licen[cs]e plate)\b|身份证|护照|社保|驾照号|驾驶证|证件号|证件照|出生(?:日期|年月)|生日是|户口|住址|家庭(?:住址|地址)|家住(?:哪|几)|指纹|人脸|车牌号|税号|港澳通行证|\b(?:ethnic\w*|skin colou?r|nationality|citizenship|immigra\w+|refugees?|(?:your|his|her|their) race)\b|\bwhere (?:do|does) [\p{L}'’-]{1,30} live\b|\bwhere [\p{L}'’-]{1,30} lives\b|\b(?:phone|mobile|cell|telephone) numbers?\b|住(?:在)?哪|民族|[汉回满藏苗]族|国籍|籍贯|电话号码|手机号/iu
const right =
  /\b(?:approv(?:e|es|ed|al|als)|authori[sz]\w+|permission to|grant (?:me|us|him|her|them|access|rights?)|admin(?:istrator)? (?:rights?|access)|make (?:me|him|her|them) (?:an? )?(?:owner|admin)|owner rights?|agree[sd]? to pay|agree(?:ing|ment) to pay|sign (?:for|off|the contract)|execute|delete (?:all|every|the (?:data|records?|files?))|vote for|power of attorney|transfer (?:ownership|rights))\b|批准|授权|权限|审批|同意(?:付|转|出钱|签)|代(?:签|付)|签字授权|转让(?:群主|所有)|(?:设|当|做|成)(?:为|成)?管理员|删除(?:全部|所有)|替.{1,6}(?:做主|签字|付款)/iu
const others =
  /\b(?:religio\w+|political (?:view|party|opinion)s?|who did you vote|sexual\w*|orientation|affair|divorc\w+|(?:boy|girl)friend|love life|still together|dating|in a relationship|(?:broke|break|split|breaking|splitting) up|is (?:he|she) (?:single|married|engaged|gay)|criminal|police record|arrested|quarrel\w*|gossip|nephew['’]s address|why (?:did|does|is|was|are|were) (?:he|she|they|[A-Z]\w+) )\b|宗教|信仰|政治立场|党派|性取向|出轨|离婚|男朋友|女朋友|恋情|复合|谈恋爱|单身|有没有对象|分手|离职|辞职|被辞|前科|案底|吵架|矛盾|隐私|八卦|相亲|跟谁(?:好|住|睡)|\bvot(?:e|es|ed|ing) (?:for|green|left|right)\b|\bwhich party\b[^?]{0,40}\bvot|\b(?:muslim|christian|jew|jewish|hindu|buddhist|catholic|protestant|atheist)s?\b|\bwhich (?:church|mosque|temple) (?:do|does) |\b(?:goes?|going) to church\b|\bin a union\b|\b(?:are|is) [\p{L}'’-]{1,30} (?:single|gay|lesbian|married|engaged)\b|\bsleeps? (?:with|at home)\b|\b(?:wants?|going|plans?|planning) to (?:quit|resign)\b|\bresign(?:s|ed|ation)?\b|\bare you (?:honest|lazy|stupid|a (?:liar|fool|thief))\b|\b(?:boss|husband|wife|partner|son|daughter|mother|father|brother|sister|neighbou?r|colleague)s? (?:drink|sleep|cheat|smoke|lie|know)s?\b|\bin private\b|\bconfided\b|投票给|投给|入党|信(?:佛|教|主|基督|什么教)|基督徒|穆斯林|私下(?:里)?(?:说|跟|和|告诉)/iu

const matters: readonly (readonly [ForbiddenMatter, RegExp])[] = [
  ['secret', secret],
  ['identity', identity],
  ['health', health],
  ['right', right],
  ['money', money],
  ['others', others],
]

/** Which matter makes the question one that is never asked; undefined where it may be. Linear in its text. */
export function findForbidden(deps: ForbiddenDeps, { ask, why, options = [] }: Shown): ForbiddenMatter | undefined {
  for (const text of [[ask, ...options].join('\n'), why]) {
    for (const form of formsOf(text)) {
      const found = matters.find(([, words]) => words.test(form))
      if (found) return found[0]
      if (deps.isRefused(form)) return 'secret'
    }
  }
  return undefined
}

/** So much of what stands before a sentence may say what its value is of. */
const beforeChars = 200

/** "I do not know your salary. I took 3000": asked alone, "is 3000 right?" names no matter, and asks for it all the same. */
export function isValueOfForbidden(deps: ForbiddenDeps, said: string, answer: string): boolean {
  const at = answer.indexOf(said)
  const before = answer.slice(Math.max(0, at - beforeChars), Math.max(0, at))
  return findForbidden(deps, { ask: said, why: before }) !== undefined
}

/** The text as it is read: folded; with look-alikes for letters; without what stands between single letters or Han characters. */
function formsOf(text: string): ReadonlySet<string> {
  const folded = toSimplified(
    toNormalForm(text.slice(0, mostChars).toWellFormed().replaceAll(invisible, ''), 'NFKC'),
  ).toLowerCase()
  const bare = toNormalForm(folded, 'NFKD').replaceAll(/\p{M}/gu, '')
  const latin = [...bare].map((sign) => alike[sign] ?? sign).join('')
  const figured = latin.replaceAll(/[a-z\d@$!|]{2,60}/gu, (word) =>
    /[a-z]/u.test(word) ? [...word].map((sign) => figures[sign] ?? sign).join('') : word,
  )
  const joined = figured
    .replaceAll(/(?<![a-z])[a-z](?:[ ._*-]{1,3}[a-z](?![a-z])){2,40}/gu, (row) => row.replaceAll(/[^a-z]/gu, ''))
    .replaceAll(/(?<=\p{Script=Han})[^\p{L}\p{N}，。？！、\n]{1,3}(?=\p{Script=Han})/gu, '')
  return new Set([folded, latin, figured, joined])
}
