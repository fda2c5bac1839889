// Of what kind a record of an explicit order is, from its words: what must be, what was settled, what is to be done, what pleases; else it is a fact.
import type { MemoryKind } from '#shared/memory/record.ts'

const settled =
  /(?<![a-z])(?:(?:we|i|they|the (?:team|group|board))(?:['’]ve| have|)(?: all| finally| now)? (?:decided|agreed|settled|chose|chosen|picked|voted|opted|went with|go with)|(?:it|that)(?:['’]s| is) (?:settled|decided|agreed|final)|settled|decided|(?:has|have|was|were) (?:been )?(?:decided|agreed|chosen|settled)|(?:are|['’]re) going with)(?![a-z])|决定|敲定|商定|说好|定(?:了|下来|好|在|为)|拍板|选(?:了|定)|确定(?:用|下|了|为|是)|达成一致/iu
const binds =
  /(?<![a-z])(?:must(?:n['’]?t)?|never|always|only|no more than|at most|at least|not allowed|forbidden|mandatory|required|may not|has to be|have to be|cannot|can['’]?t (?:be|take|exceed|have)|no (?:later|longer|wider|more) than|nobody (?:may|should)|nothing (?:may|gets?|is)|hard (?:rule|limit|deadline))(?![a-z])|必须|不许|不得|不准|禁止|严禁|一律|统一|务必|只能|只许|最多|至少|不超过|不能超过|上限|不可以|谁都不|以内|不接受/iu
const owed =
  /(?<![a-z])(?:i|we|i['’]?ve|we['’]?ve)(?: still| also| really|['’]?ll)? (?:have|has|need|got|ought|promised|want) to (?![a-z]{0,8} ?(?:be|have) )|(?<![a-z])(?:i|we)(?: still)? (?:gotta|must|should)(?![a-z])|(?<![a-z])(?:i|we)(?:['’]ll| will| am going to|['’]m going to) (?:write|send|file|fix|call|buy|bring|finish|book|prepare|review|update|renew|pay|submit|clean|do|make|order|check|take care)|(?<![a-z])to-?do(?![a-z])|待办|(?:我|我们|咱)[^，。,]{0,14}?(?:要|得|必须|需要|还没)(?:先|再|去|在|把|给)?[^，。,]{0,12}(?:交|寄|发|买|办|还|订|改|写|送|约|打|续|缴|付|提交|准备|完成|整理|预约|报名|取|退|修|检查|更新|回复|联系|搬)|(?:前|之前|以前)(?:要|得|必须|需要)?[^，。,]{0,10}(?:交|寄|办|还|订|续|缴|完成)/iu
const pleases =
  /(?<![a-z])(?:likes?|loves?|enjoy|hates?|dislikes?|prefer(?:s|red|ence)?|favou?rite|can['’]?t stand|rather|fan of|fond of|into|adore|detest|allerg(?!ic|y|ies)|don['’]?t (?:like|eat|drink|want|care)|do not (?:like|eat|drink|want)|(?:i['’]?m|am|is) (?:a )?(?:vegan|vegetarian|pescatarian|teetotal)|call me|address me|answer(?:s|ed)? (?:me |in|with|should|short)|repl(?:y|ies) (?:in|with|to me|should)|write to me|speak to me|talk to me|respond|(?:use|in) (?:metric|celsius|euros?|british|american|plain|simple)|short answers|bullet points)(?![a-z])|喜欢|喜爱|爱(?:吃|喝|看|听|玩|去|用|做|好)|最爱|讨厌|不爱|不想(?:看|听|收)|烦|怕(?!.{0,4}过敏)|偏好|偏爱|更(?:想|愿|习惯)|习惯|不吃|不喝|吃素|素食|宁可|宁愿|受不了|叫我|称呼|(?:回答|回复|回我|说话|写)(?:我)?.{0,6}(?:用|要|先|别|不要|简短|简洁)|别(?:给我|用|跟我)|希望/iu
/** Said of a thing or of all, not of the speaker. */
const hanRule = /^(?![我咱俺])[^，。,]{0,20}(?:必须|不许|不得|不准|禁止|严禁|一律|统一|只能|最多|至少)/u
/** About how the bot is to speak: that pleases one person, and binds nobody. */
const style =
  /(?<![a-z])(?:answers?|repl(?:y|ies)|respond|call me|address me|your (?:answers?|replies|messages?)|write to me|talk to me|speak to me|explain(?: things)? to me|show me|give me)(?![a-z])|(?:回答|回复|回我|跟我说|给我看|称呼|叫我|解释)/iu

/** Linear in the text. */
export function toKind(text: string): Exclude<MemoryKind, 'note' | 'skill'> {
  if (settled.test(text)) return 'decision'
  if (style.test(text)) return 'preference'
  if (hanRule.test(text)) return 'constraint'
  if (owed.test(text)) return 'todo'
  if (pleases.test(text)) return 'preference'
  return binds.test(text) ? 'constraint' : 'fact'
}
