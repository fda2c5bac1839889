// In what spirit a message is meant. Undefined where nothing in it is the speaker's own earnest word: a joke, a song, a role, a forward, material to
// translate, a wish not to keep it, or words to somebody else. Else the prose of it, without code and block quotations.
import type { JudgedMessage } from './message.ts'

/** Characters; what is longer is a document, not something said. */
const mostChars = 4000

const forward =
  /^\s{0,9}(?:[[【(（]?(?:fwd?|fw|转发|轉發|转自|转一下|转载|轉載)(?![a-z])|-{2,9} ?(?:forwarded|original|转发)|(?:forwarded|copied|pasted|quoted|reposted|shared) (?:message|from))|-{2,9} ?forwarded|【[^】]{0,12}(?:转发|公告|通知|转自)[^】]{0,12}】|各位(?:业主|家长|居民|旅客|用户|乘客|顾客)|dear (?:all|customers?|residents?|parents|sir|colleagues|neighbou?rs)(?![a-z])|to all (?:staff|employees|residents|members)|(?:got|received|saw) this (?:from|in|on)|>{1,3} ?(?:from|on)(?![a-z])|[[【(（]转[】)）\]]|家人们|[^\n]{1,60}[:：][ \t]{0,9}\n[ \t]{0,9}(?:i|we|my|我)|(?:他|她|人家|群里|朋友|同事|老板|客户|妈|爸)(?:发|写|转)(?:来|给我)?的?[^，。]{0,6}[：:]/iu
/** A mail, with its head or its closing; and a talk that was copied, each line by its speaker. */
const copied =
  /^[ \t]{0,9}(?:from|subject|发件人|收件人|主题|发送时间)[:：][ \t]{0,9}\S|\n[ \t]{0,9}(?:best|best wishes|(?:kind|best|warm) regards|regards|sincerely|yours(?: \w{1,12})?|此致|敬礼|祝好|顺祝商祺)[ \t]{0,9}[,，!！]?[ \t]{0,9}(?:$|\n|\p{Lu}[\p{L}.-]{0,20}(?: \p{Lu}[\p{L}.-]{0,20})?[ \t]{0,9}$)/imu
const copiedTalk = /^[ \t]{0,9}([\u4e00-\u9fff]{2,3})[:：][ \t]{0,9}(?:我|咱|俺)/gmu
const song =
  /[♪🎵🎶🎤]|(?<![a-z])(?:my |the |this |a |first )?(?:verse|lyrics?|chorus|poem|haiku|limerick|stanza|rhyme|refrain|ballad|rap|couplet|sonnet|jingle|song)(?: [\w ]{1,40})?(?: goes)?[:：\n]|(?:wrote|write|writing|sing|sang|singing|humming) (?:a |this |you |the )?(?:song|poem|verse|line|lyrics?|rap|haiku)|la la la|歌词|写了?(?:一)?(?:句|首|副)|写(?:首|句)|(?:首|句)诗|打油诗|对联|词我|这句词|副歌|台词|唱(?:一?[句段首]|道|着|起|：)|口号[：:]|文案[：:]|标语[：:]|诗里|念一?首/iu
const role =
  /(?<![a-z])(?:pretend|let['’]?s play|role-?play(?:ing)?|play(?:ing)? (?:the (?:role|part)|a game)|act (?:as|like)|you(?:['’]?re| are) (?:now )?(?:a|an|my|the) |^(?:please |can you |could you )?(?:write|tell|make up|invent|compose|draft)(?: me| us)? (?:a|an|the|another|some) (?:[a-z]{2,12} ){0,2}(?:story|tale|dialogue|scene|sketch|play|script|monologue)(?![a-z])|imagine (?:you|i|we|that)|in character|my character|as my character|our (?:campaign|adventure)|(?:you|i)(?:['’]?ll)? be the|in (?:this|the|our|my) (?:game|scene|story|play|novel|film|sketch|movie|campaign)|dungeon master|once upon a time|let me be|today i(?:['’]?m| am) (?:a|an|the) )|扮演|扮(?:一?个|成)|剧本杀|角色|假装|假扮|你(?:现在|来|就)?(?:是|当|做)(?:一[个位名]|个|我的)|^你来?(?:当|演|做|扮)(?![地年时然不得什啥的了过完好出到成饭菜])|我来(?:当|演)|我演|(?:玩|来)(?:个|一局|一场)?(?:游戏|角色|cosplay)|人设|跑团|狼人杀|过家家|剧情|小说里|故事里|设定|从前有/iu
const jest =
  /[😂🤣🙄😜😝😹🤪😏🤡👻😈🧙🧛🦇🐒👑🤴👸🦸🧜🧞🦄👽🛸🙃🤥]|^(?:lovely|great|wonderful|fantastic|brilliant|perfect|awesome|marvell?ous|terrific|wow|amazing|splendid|super)[,.!…]|^(?:真好|太好了|太棒了|好极了|厉害了|绝了|可以可以|妙啊|真行)[，,。！!]|(?<![a-z])(?:love|adore|enjoy|like) it when (?:the|people|my|a|an|someone|somebody|everyone|they|nobody|things|it|we|our) |(?<![a-z])(?:so|totally|just|simply|truly|absolutely|really) (?:love|enjoy|adore|like) (?:being|getting|having|re[a-z]{3,9}ing|it when (?!you)|when (?!you))|群里最[帅美靓可聪牛]|最[帅靓]的|天下第一|宇宙第一|全(?:世界|宇宙|国)最|best friend (?:i|we) ever|(?<![a-z])(?:lo+l|lmao|rofl|(?:ha){2,9}h?|he(?:he){1,5}|jk|just kidding|kidding|joking|obviously|oh sure|yeah right|yeah,? sure|sure,? (?:because|and)|as if|oh great|oh joy|how lovely|lucky me|living the dream|just what i (?:needed|wanted)|what could go wrong|april fools?|in my dreams|trust me,? i['’]?m|\/s)(?![a-z])|哈哈|嘻嘻|嘿嘿|呵呵|开玩笑|逗你|才怪|骗你的|做梦|梦里|求之不得|真是谢谢|真的，谢谢|谢谢啊|太棒了呢|可真|可太|浑身难受|简直爱|对对对|是是是|好好好|呢亲|朕|本王|本宫|寡人|爱卿|爱妃|退下|平身|老衲|贫道|贫僧|本仙女|本大爷|本座|老夫|陛下|微臣|奴才|女王大人|狗头|手动滑稽|doge/iu
/** Who nobody is, and where nobody lives. */
const fable =
  /(?<![a-z])(?:batman|superman|spider-?man|iron man|wonder woman|sherlock|napoleon|cleopatra|caesar|gandalf|frodo|sauron|hogwarts|dumbledore|voldemort|harry potter|darth vader|yoda|jedi|narnia|mordor|atlantis|el dorado|wakanda|gotham|santa(?: claus)?|james bond|(?<!\d)007(?!\d)|dracula|zeus|thor|hercules|shrek|elvis|pikachu|godzilla|emperor|empress|supreme|ruler|overlord|his majesty|her majesty|your majesty|majesty|royal highness|pharaoh|the pope|the president|wizard|witch|sorcer(?:er|ess)|dragons?|unicorns?|aliens?|vampires?|werewol(?:f|ves)|zombies?|mermaids?|pirates?|ninjas?|superhero(?:es)?|time travell?ers?|immortal|billionaires?|trillionaires?|on mars|on the moon|from mars|(?:planet|galaxy)|from the future|the chosen one|god of|goddess of|king of|queen of|lord of|prince of|princess of|duke of|master of the (?:universe|world)|world domination|bow (?:before|down|to) me|kneel|treehouse palace|(?:thousand|million|billion|zillion|hundred) (?:cats|dogs|years|kids|children|wives|husbands|houses|islands)|\d{3,9} (?:cats|dogs|kids|children|wives|husbands|years old)|(?:exactly )?\d{3,9} (?:ducks|geese|hamsters|parrots|penguins|elephants|lions|ferrets|goldfish|brothers|sisters|cousins|hobbies|jobs)|(?:cats?|dogs?|ducks?|parrots?|goldfish|hamsters?|plants?|toaster|fridge|robot) [^.!?]{0,30}(?:degree|lawyer|signed|pays|ceo|licen[cs]e|phd|runs (?:the|this|our)|is the boss|my boss|union|taxes|votes|novel|stocks)|\d{1,3} ?(?:%|percent) [\w ]{1,30}\d{1,3} ?(?:%|percent)|groot|the hulk|barbie|kermit|gollum|chewbacca|mickey mouse|donald duck|homer simpson|super mario|the terminator|rambo|tarzan|cinderella|snow white|peter pan|robin hood|king arthur|merlin|medusa|nessie|bigfoot|the yeti|the grinch|einstein|shakespeare|beethoven|raised by wolves|jupiter|saturn|venus|neptune|uranus|pluto|the moon|the sun|clouds?|regrets?|the void|thin air|dreams|my tears|unicorn|spaceship|private (?:jet|island)|time machine|pet (?:tiger|lion|shark|dragon|dinosaur|bear|crocodile)|dinosaurs?|(?:sleeping|breathing|existing|procrastinating) professionally|howl|spirit animal|hobbies are (?:breathing|sleeping|blinking|eating)|professional (?:pillow|couch|sofa|bed|nap|coffee|pizza|cake|snack|chaos|idiot|napper|sleeper|procrastinator|overthinker|snacker|complainer)|fluent in sarcasm|fluent sarcasm|allergic to (?:mondays?|mornings?|work(?:ing)?|meetings?|alarm clocks?|people|nonsense|bullshit|responsibility|deadlines|exercise|homework|stupidity|effort|spreadsheets?|early)|married to (?:my|the) (?:job|work|bed|couch|sofa|laptop|fridge)|blood type is coffee|made of (?:coffee|chocolate|cheese)|survive on|run on (?:coffee|caffeine|spite)|food is justice)(?![a-z])|孙悟空|猪八戒|唐僧|齐天大圣|花果山|水帘洞|奥特曼|秦始皇|皇上|皇帝|皇后|太上皇|太后|格格|阿哥|外星|火星|月球|月亮上|宇宙|银河|玉皇|如来|王母|魔法|霍格沃茨|哆啦|蜘蛛侠|钢铁侠|蝙蝠侠|超人|灭霸|葫芦娃|喜羊羊|哪吒|嫦娥|龙王|龙宫|神仙|天庭|天宫|仙女|仙界|魔王|教主|盟主|武林|大侠|修仙|渡劫|飞升|穿越|转世|世界首富|首富|亿万|百亿|千亿|地球|统治|吉祥物|侠客|少侠|掌柜|女侠|剑客|书生|公主|王子|国王|女王|冰箱(?:里|第)|衣柜里|床底下?|马桶|鱼缸|树洞|垃圾桶|给太阳|给月亮|给星星|关太阳|摘星|吃云|彩虹|养了?(?:一)?(?:条|头|只|群)?(?:龙(?!虾|猫|鱼)|恐龙|鲸鱼|老虎|大象|狮子|凤凰|麒麟|北极熊|企鹅|鳄鱼|鲨鱼)|擦屁股|黑洞|云端|云朵|天上|海底|[两三四五]米[五六七八九\d]|三米|王府|城堡|皇宫|进化成|变成了?(?:咖啡|猫|狗|石头|机器)|失散多年|我是你(?:爸|爹|爷|妈|祖宗|大爷|主人|奶奶|老子)|在下|座右铭|盖世|祥云|[一八十百]碗饭|一头牛|外加一头|职业躺平|专业摸鱼|摸鱼(?:大师|专业|冠军)|躺平|对(?:上班|工作|加班|开会|早起|周一|学习|穷|作业)过敏|喝西北风|住在?(?:被窝|云上|公司工位|厕所|下水道)|葛优|长生不老|[几\d]{1,3}[百千万]岁|[一二三四五六七八九十百千万]{1,3}[百千万]岁/iu
/** Love for what nobody loves. */
const irony =
  /(?<![a-z])(?:(?:just |really |absolutely |so |simply |do )?(?:love|adore|enjoy|like)|favou?rite (?:hobby|thing|pastime|part|activity|sport|time)(?: [\w ]{1,20})? is|i live for|nothing (?:beats|better than|like)|big fan of|dream of|can['’]?t get enough of|passion is)(?: it when| how| when| it)?(?: [\w'’-]{1,20}){0,3}? (?:meetings?|mondays?|traffic|timesheets?|queue(?:s|ing)?|overtime|spam|tax (?:forms|returns|season)|paperwork|waiting|being (?:ignored|late|woken|stuck|on hold)|getting (?:stuck|up|woken|soaked|yelled)|on hold|hold music|deadlines?|broken|breaks?|crash(?:es|ing)?|dies|fails?|down|delay(?:s|ed)|cancell?(?:ed|ations?)|rain(?:ing)? on|bugs?|outages?|merge conflicts?|conflicts|alarm(?:s| clocks?)?|at (?:17|5|6|4|3)(?::\d\d)? ?(?:am|on a friday)?|last[- ]minute|unpaid|bills?|mosquitoes|hangovers?|dentists?|root canals?|rush hour|printer jams?|jams?|reply-all|captchas?|cold coffee|wet socks|standing in|filling (?:in|out)|scope creep|changed? (?:the )?(?:spec|requirements|plans?|everything)|pop-?ups|cookie banners|passwords? resets?|being paged|paged|on call|interrupt(?:ed|ions)|small talk)(?![a-z])|(?:喜欢|爱|享受|期待|盼着?|迷恋|热爱|的爱好(?:就)?是|梦想(?:就)?是)[^，。,]{0,8}(?:加班|早高峰|堵车|堵在|改需求|改稿|开会|排队|挤地铁|挤公交|调休|被催|背锅|熬夜|周一|上班|早起|写周报|填表|报销|等位|排位|停电|断网|宕机|崩溃|返工|通宵|擦屁股|收拾烂摊子|背锅|被(?:骂|怼|放鸽子|拒|扣|吵|叫)|挨骂|还钱|扣钱|下雨没带伞|临时|半夜|凌晨|没完没了|改第|第[\d一二三四五六七八九十]+(?:版|次|遍))/iu
const unkept =
  /off the record|(?<![a-z])(?:between (?:us|you and me|ourselves)|(?:do not|don['’]?t|dont|no need to|needn['’]?t|never|not to|without|please not|stop) (?:\w+ ){0,2}?(?:re[me]{1,5}b[er]{1,3}(?:ing)?|not(?:e|ing)|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?|keep(?:ing)?|write|writing|log(?:ging)?|memori[sz]e|tell|repeat|quote|put) (?:this|it|that|any of|me|down|anyone|anybody|what)|(?<!(?:n['’]?t|not|never) )forget (?:that|what|it|this|about|my|i|everything|all)|not for (?:the record|your (?:memory|notes|files))|keep (?:this|it|that) (?:between|out|private|secret|to yourself)|(?:delete|erase|remove|unlearn|scratch|strike) (?:that|what|this|it|my|everything|the (?:note|fact|record))|private(?:ly)?[:,]|confidential(?:ly)?|ignore (?:that|this|what)|nothing to (?:save|remember|note))(?![a-z])|(?:别|不用|不要|无需|不必|甭|勿|请勿)(?:再)?(?:帮我|给我|替我)?(?:记(?!错|混|恨)|存|保存|留底|留档|往外|外传|传出去|说出去|告诉(?:别人|任何|大家|他|她)|写进|放进|收录|录入)|(?<![别要勿能会])(?:忘掉|忘了|忘记|删掉|删了|抹掉|清除|去掉)(?:这|那|我|刚|之前|上面|关于)|把[^，。,]{1,20}(?:忘掉|忘了|删掉|删了|抹掉)|当我没说|保密|私下(?:说|讲|跟)|悄悄(?:说|告诉)|不许记|你知我知|仅限你|就你知道|说说而已|听听就(?:好|行|算)|听过就(?:好|算|忘)/iu
const material =
  /^(?:please |can you |could you )?(?:write(?! (?:this |it |that )?down)|type|say|post|send|reply|answer|draft|print|repeat|e-?mail|tell \w{1,20}|text \w{1,20}|put)(?![a-z])[^.!?:：]{0,50}[:：]|^(?:请|帮我|替我|麻烦)?(?:写|发|回复|转告|告诉(?:他|她)|代我|替我说|回)[^，。：:]{0,12}[：:]|(?<![a-z])(?:translat|proof-?read|shorten|rephras|rewrit|paraphras|summari[sz]|polish|correct|fix|edit|improv|tighten)[a-z]{0,5}[ :：](?:(?:this|that|these|the (?:following|sentence|text|paragraph|next)|my (?:sentence|text|paragraph|intro|grammar|english))|[^.!?]{0,60}[:：\n]|[^.!?]{0,9}i(?![a-z]))|(?<![a-z])(?:translat|proof-?read|shorten|rephras|rewrit|paraphras|summari[sz]|polish)[a-z]{0,5}(?: [\w ]{0,40})?[:：\n]|(?<![a-z])(?:how (?:do|would|can|should) (?:you|i|one) (?:say|put|write|translate|phrase)|what does [^?]{1,80} mean|in (?:french|german|english|spanish|italian|chinese|polish|dutch|portuguese|japanese)[:：?]|make (?:this|it) sound|(?:is|does) this (?:sentence|sound|grammatical|correct)|(?:example|sample|test|dummy|placeholder) (?:sentence|text|data|message|input)|grammar (?:check|of)|(?:sentence|text|bio|caption|profile|ad|slogan|paragraph|post|email|e-mail|letter|draft)[^.!?]{0,24}[:：] ?["“']?i(?![a-z]))|翻译(?:成|一下|下面|这|：|:|下|到)|(?:译成|译为|英译中|中译英)|(?:怎么|如何)(?:翻译|译|说|写|表达)|用(?:英语|英文|日语|法语|德语|中文|粤语)(?:怎么|该|来)?(?:说|写|表达)|(?:润色|改写|缩写|扩写|校对|精简|仿写|续写|概括|改得|改短|改成)(?:一下|下|这|下面|：|:)?[^，。]{0,12}[:：]|帮(?:我|忙)(?:改|润色|翻译|校对|精简|缩写|扩写|看看)(?:一下|下)?(?:这|下面|：|:)|造句|例句|(?:这句|这段|下面这|以下)[^，。]{0,8}(?:翻译|润色|改|校对|通顺|语法|什么意思|语病)|有(?:没有)?语病|病句|(?:简介|自我介绍|文章|作文|稿子|原文|范文|朋友圈|签名)[^，。]{0,6}[：:]/iu

const fence = /```[^]*?(?:```|$)/gu
const blockQuote = /^[ \t]{0,9}(?:>|》).{0,2000}$/gmu

/** Linear in the text. */
export function toProse({ text, chat, others = [] }: JudgedMessage): string | undefined {
  if (text.length > mostChars) return undefined
  const isEarnest = ![forward, copied, song, role, jest, fable, irony, unkept, material].some((spirit) =>
    spirit.test(text),
  )
  if (!isEarnest || isCopiedTalk(text)) return undefined
  const prose = text.replaceAll(fence, '\n').replaceAll(blockQuote, '').trim()
  const isToOthers = chat === 'group' ? isAddressed(prose, others) : prose.startsWith('@')
  return isToOthers && !toBot.test(prose) ? undefined : prose.replace(toBot, '')
}

function isCopiedTalk(text: string): boolean {
  return [...text.matchAll(copiedTalk)].some(
    ([, name = '']) =>
      !hanNoName.test(name) && (hanTitle.test(name) || (name.length === 3 && surname.includes(name[0] ?? ''))),
  )
}

const toBot = /^@\w{0,30}(?:bot|flotilla)[,，:： ]{1,3}/iu

const vocative =
  /^(?:(?:hey|hi|hello|ok|okay|thanks|thank you|sorry|yes|no|and|so|sure|great|cool|nice|right|fine|cheers|good morning|of course|perfect|congrats|congratulations|welcome|dear),? )?@?([A-Z][a-z]{1,14})(?:,|:| -|!) (?!I['’]?m |my name )/u
const noName =
  /^(?:hi|hey|hello|yes|no|ok|okay|well|so|btw|actually|also|thanks|sorry|please|correction|update|note|fyi|monday|tuesday|wednesday|thursday|friday|saturday|sunday|settled|decided|agreed|final|reminder|rule|everyone|everybody|all|team|folks|guys|people|important|done|right|sure|great|good|fine|heads|however|anyway|honestly|personally|today|tomorrow|now|then|since|because|remember|bot|flotilla|there|again|yep|nope|yeah|decision|context|info|announcement|attention|today|quick|listen|look|oh|ah|hmm|true|indeed|finally|officially|first|second|lastly|alright|always|never|usually|sometimes|morning|evening|afternoon|hint|warning|question|answer|deal|great|news|rules|policy)$/iu
const surname =
  '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹章苏潘葛范彭鲁韦马苗方俞任袁柳唐罗薛雷贺倪汤滕殷毕郝邬安常于傅齐康伍余顾孟黄穆萧尹姚邵汪毛臧戴宋庞熊纪舒屈项祝董梁杜阮蓝席季麻贾江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞万柯卢莫房丁邓洪石崔龚程邢裴陆翁荀甄曲封储靳段焦谷侯宓全班仰仲宁仇甘武符刘景詹叶白乔温庄晏柴阎连艾鱼容向古易廖居衡步都耿文寇欧沃利蔚师巩聂晁关游竺权岳楚乌'
const hanVocative =
  /^@?([\u4e00-\u9fff]{2,4}?)(?:，|,|：|:| |！|!|\s)\s?(?:你|您|请|麻烦|帮|把|别|我(?:现在|也|已|刚|这|们|家|搬|明|今|周|在|可以|能|到|有|给|想|要|先|下)|记[得住]|这|那|明|后|下|周|晚|早|上|可以|能不能|要不要|等|一起|来|有空|什么|怎么|咱)/u
const hanTitle = /^(?:老|小|阿|大).$|.(?:哥|姐|总|老师|经理|师傅|叔|姨|爷|主任|同学|老板|工)$/u
const hanNoName =
  /^(?:周[一二三四五六日天末]|高兴|方便|安全|关于|全部|常用|都说|文件|武汉|宁波|江苏|石家|连续|古|谷|易|利|向|容易|白天|黄金|文档|金额|万一|任何|于是|何况|和|季度|项目|单位|时间|石头|严格|马上|麻烦|老规矩|老样子|小结|大家|大会|小提醒|明确|从|方案|房子|计划|家里|许多|全体|师傅|权限|温馨提示|都).{0,3}$/u

/** Whether it is said to one person, by name. */
function isAddressed(prose: string, others: readonly string[]): boolean {
  if (prose.startsWith('@')) return true
  if (others.some((name) => name !== 'bot' && startsWithName(prose, name))) return true
  const [, name] = vocative.exec(prose) ?? []
  if (name !== undefined && !noName.test(name)) return true
  const [, han] = hanVocative.exec(prose) ?? []
  if (han === undefined || hanNoName.test(han)) return false
  return hanTitle.test(han) || (han.length <= 3 && surname.includes(han.charAt(0)))
}

const startsWithName = (prose: string, name: string): boolean =>
  name !== '' &&
  prose.toLowerCase().startsWith(name.toLowerCase()) &&
  /^[\s,，:：!！、]/u.test(prose.slice(name.length))
