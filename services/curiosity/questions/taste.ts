// Whether an answer shows how somebody likes things, and in what: a closed list of matters, so that several answers in one of them can be told to agree.
import type { Asks } from '#shared/memory/asks.ts'
import type { Taste } from '#shared/memory/record.ts'

const matters: readonly (readonly [Taste, RegExp])[] = [
  [
    'tone',
    /\b(?:tone|voice|formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|friendly|friendlier|polite|lively|livelier|serious|sober|humou?r(?:ous)?|funny|witty|warm(?:er|ly)?|playful|matter-of-fact)\b|语气|口吻|正式|随意|活泼|稳重|幽默|风趣|轻松|严肃|客气|亲切/iu,
  ],
  [
    'length',
    /\b(?:brief(?:ly)?|concise|detailed|in (?:more )?detail|at length|thorough|(?:short(?:er)?|long(?:er)?) (?:version|answers?|summary|text|form|one|draft)|how (?:long|short) (?:should|do you want|would you like))\b|简短|简洁|精简|详细|详尽|短一点|长一点|短的?一?版|长的?一?版|篇幅/iu,
  ],
  [
    'form',
    /\b(?:bullets?|bullet points|as a (?:list|table)|tables?|prose|paragraphs|headings?|step by step|numbered|outline)\b|列表|表格|分点|要点|段落|小标题|提纲|大纲|分步/iu,
  ],
  [
    'look',
    /\b(?:colou?rs?|font|typeface|layout|logo|design|style|palette|theme|cover|picture|photo|background)\b|颜色|配色|色调|字体|版式|排版|标志|设计|风格|样式|封面|背景|图案/iu,
  ],
]
const liking =
  /\b(?:prefer|rather have|like (?:better|best|more)|feel(?:s)? right|appeals?|taste)\b|更喜欢|喜欢哪|偏好|更?倾向|看着顺眼|好看|中意/iu

/** Of what was asked; undefined where the answer is a fact. */
export function findTaste(question: string, { kind, options }: Pick<Asks, 'kind' | 'options'>): Taste | undefined {
  if (kind === 'words' || kind === 'action') return undefined
  const text = [question, ...options].join('\n')
  const [matter] = matters.find(([, words]) => words.test(text)) ?? []
  // A judgement is one of taste, whatever it is about; a choice is where its words say so.
  return matter ?? (kind === 'judgement' || liking.test(text) ? 'fit' : undefined)
}
