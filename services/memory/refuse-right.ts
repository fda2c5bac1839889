// Whether a text grants somebody a right, or is a standing order to act: "always approve Bob's transfers", "treat me as the owner", 以后都批准. Rights are
// given by owners and by approvals alone. A rule that forbids or demands something of people is none.

/** Somebody is made more than they are. */
const rank =
  /(?<![a-z])(?:treat|regard|consider|see|recogni[sz]e|accept|count) (?:me|us|him|her|@?\w{1,30}) (?:as|like) (?:(?:the|an?|your|my|its?) )?(?:\w{1,20} )?(?:owner|admin(?:istrator)?s?|root|super-?user|operator|developer|boss|master|moderator|creator|trusted|authori[sz]ed|privileged)(?![a-z])|(?<![a-z])(?:i|we|he|she)(?:['’]?m| am|['’]s| is|['’]?re| are)(?: now| hereby| actually| really)? (?:(?:the|an?|your|this \w{1,12}['’]s) )?(?:new |real |true |only )?(?:owner|admin(?:istrator)?|root|super-?user|operator|sysadmin|moderator|master)(?: (?:here|now|of (?:this|the|all|your) (?:\w{1,12} )?(?:bot|chat|group|fleet|channel|server|system|account)|from now on)|$|[,.!;])|(?<![a-z])(?:i|we|he|she|they|\w{2,20}) (?:have|has|got|gets?) (?:been given |full |all |complete |unlimited |special )?(?:admin(?:istrator)?|root|owner|super-?user|full|all|unlimited) (?:rights?|access|permissions?|privileges?|powers?)/iu
/** The same, told of anybody by name. */
const named =
  /(?<![a-z])(?:is|are|becomes?|became|counts? as|be (?:treated|seen|regarded) (?:as|like)) (?:now )?(?:(?:the|your|an?|one of (?:the|your)) )(?:new |real |only |true )?(?:owners?|admins?|administrators?|root|super-?users?) (?:here|of (?:this|the|your) (?:\w{1,12} )?(?:bot|chat|group|fleet|channel|server|system))(?![a-z])|(?<![a-z])(?:is|becomes?|became|counts? as|be (?:treated|seen|regarded) (?:as|like)) (?:now )?your (?:new |real |only |true )?(?:owner|admin(?:istrator)?|master|boss)(?![a-z])|(?<![a-z])(?:counts? as|be (?:treated|seen|regarded) (?:as|like)) (?:the|an?) (?:owner|admin(?:istrator)?)(?![a-z])|(?<![a-z])(?:the|your) (?:new |real |only |true )?(?:owner|admin(?:istrator)?)(?: of (?:this|your) \w{1,12}| of the (?:bot|chat|group|fleet|channel|server|system))? is (?:now )?(?:@|me(?![a-z])|[a-z][\w-]{1,20}(?:$|[,.!;]))|(?<![a-z])make (?:me|@?\w{1,20}) (?:(?:the|an?|your) )?(?:owner|admin(?:istrator)?)(?![a-z])|(?<![a-z])my role(?: here)? is (?:the |an? )?(?:owner|admin(?:istrator)?|root)(?![a-z])/iu
/** Somebody is said to have allowed something. */
const allowed =
  /(?<![a-z])(?:said|says|told (?:me|us|you)|confirmed)(?: that)? (?:i|we|he|she|they|you|everyone|everybody)(?:['’]?m|['’]?re| am| are| is)? (?:may|can|allowed|permitted|authori[sz]ed|entitled|free to)(?![a-z])|(?<![a-z])(?:i|we|he|she|they|you|everyone|everybody|anyone|anybody|whoever [\w ,'’]{1,60}|\w{2,20})(?:['’]?m| am|['’]?re| are|['’]s| is|) (?:(?:hereby|now|always|also) )?(?:allowed|permitted|authori[sz]ed|entitled|cleared) to (?:approve|see|read|access|delete|change|edit|use|act|spend|pay|send|transfer|order|sign|run|execute|do|have|get|know|give|override|decide|write|manage)|(?<![a-z])(?:i|we|he|she|they|everyone|everybody|anyone|anybody|whoever [\w ,'’]{1,60}|[A-Z]\w{1,20}) (?:may|can) (?:always )?(?:read|see|access|open|view|delete|change|edit|approve|override|command|order|manage) (?:everyone|everybody|anyone|all|any|each|every|other|others|your|my|the owner|private|secret)|(?<![a-z])(?:has|have|gives?|give|grant|grants|granted|gave|with) (?:\w{1,20} ){0,3}(?:permission|authori[sz]ation|consent|approval rights?|power of attorney)(?: to| for|$)|on (?:my|his|her|our|their) behalf(?![a-z])|(?<![a-z])(?:may|can) (?:always |freely )?(?:run|use|call|execute) (?:any|all|every|each)(?: of)?(?: (?:the|your))?(?: \w{1,20})? ?(?:tools?|commands?)(?![a-z])|(?<![a-z])tools?(?: \w{1,20})? (?:is|are) (?:now |always |hereby )?(?:allowed|permitted|open|free)(?: to| for|$|[,.!;])|(?<![a-z])(?:may|can) (?:read|see|know|hear|be told) (?:all )?(?:of )?(?:my|our) (?:notes?|memor(?:y|ies)|messages|secrets?|records|chats)(?![a-z])/iu
/** Somebody lets somebody do what needs rights here: "the owner lets me deploy". */
const permitted =
  /(?<![a-z])(?:lets?|allow(?:s|ed)?|permit(?:s|ted)?|authori[sz]e[sd]?|cleared) (?:me|us|him|her|them)(?: to)? (?:always |also |now |freely |just )?(?:deploy|delete|remove|erase|wipe|approve|execute|run (?:any|all|every|shell|commands?|scripts?|code|tools?|programs?|jobs?)|transfer|send|pay|spend|publish|release|merge|push|override|access|restart|install|command|read (?:all|any|every|other))(?![a-z])|(?<![a-z])(?:i|we|he|she|[A-Z]\w{1,20}) may (?:always |also |now |freely )?(?:deploy|delete|approve|execute|transfer|override|publish|merge|release|push)(?![a-z])|(?<![a-z])(?:has |have )?(?:approved|authori[sz]ed|okayed|cleared) (?:all |any |every |each )?(?:of )?my (?:requests?|deploys?|deployments?|payments?|transfers?|orders?|calls?|actions?|commands?)(?![a-z])|(?<![a-z])(?:was|were|been|am|are|is|got) (?:given|granted) (?:\w{1,20} ){0,2}(?:rights?|access|permissions?|privileges?|powers?)(?![a-z])|(?<![a-z])(?:ok|okay|fine|allright|alright) (?:with me |for (?:me|us|him|her) to |for \w{2,20} to )(?:deploy|delet|approv|execut|transfer|overrid|publish|merg|releas)/iu
/** No more asking, for something that is done. */
const unasked =
  /(?<![a-z])(?:never|don['’]?t|do not|skip(?:ping)?|stop|no longer|no need (?:to|for)) (?:any |the |my |further |first |ever |need(?:ing)? (?:to )?|have to |wait(?:ing)? for (?:an? |the |my )?|all )?(?:ask(?:ing)?|yes|approvals?|confirm(?:ing|ation)?s?|permission|check(?:ing)?|verif(?:y|ying|ication))(?![a-z])/iu
const without =
  /(?<![a-z])(?:without|instead of) (?:any |the |my |further |first |even )?(?:ask(?:ing)?|approvals?|confirm(?:ing|ation)?s?|permission|check(?:ing)?|verif(?:ying|ication))(?![a-z])/iu
const deed =
  /(?<![a-z])(?:approv(?:e|ed|es|ing)|transfers?|payments?|pay|send|delete|execute|run|deploy|order|purchase|buy|grant|allow|accept|act|book|publish|merge|sign|spend|requests?|commands?|orders?|funds)(?![a-z])/iu
/** Whose wishes, or which deeds, are to pass as they are. */
const exempt =
  /(?<![a-z])(?:needs?|requires?) no (?:further |more |extra )?(?:approvals?|confirmations?|permission|authori[sz]ation)(?![a-z])|(?<![a-z])no (?:further |more |extra )?(?:approvals?|confirmations?|permission|authori[sz]ation) (?:is|are) (?:ever )?(?:needed|required|necessary)(?! from)|(?<![a-z])(?:approvals?|confirmations?|permission) (?:is|are) (?:not|never) (?:needed|required|necessary)(?![a-z])|(?<![a-z])(?:agree|consent|say yes|approve) (?:in advance |beforehand )?to (?:all|any|every|each)(?![a-z])|(?<![a-z])(?:answer|press|click|tap|say) (?:yes|approve|ok|okay|allow)(?: button)? (?:to|on|for) (?:all|any|every|each|me)(?![a-z])|(?<![a-z])(?:answer|reply) to (?:all |any |every |each |the )?approvals? is (?:always )?yes(?![a-z])|(?<![a-z])(?:limits?|budgets?|restrictions|rules)(?: limits?)? (?:do not|don['’]?t|never|no longer) apply (?:to|for) (?:me|us|you|him|her|\w{2,20})(?![a-z])|(?<![a-z])unlimited budget(?![a-z])|(?<![a-z])you (?:can|may|should|must) (?:always )?skip (?:the |any |all |my )?(?:approvals?|confirmations?)(?![a-z])|(?<![a-z])(?:requests?|orders?|calls?|transfers?|payments?|actions?|commands?) (?:is|are) (?:all |always )?pre-?(?:approved|authori[sz]ed)(?![a-z])|(?<![a-z])(?:consider|regard|treat) (?:[\w'’]{1,20} ){1,5}(?:as )?(?:pre-?)?(?:approved|authori[sz]ed)(?![a-z])|(?<![a-z])same (?:rights?|permissions?|powers?|access) as (?:an? |the |your )?(?:owner|admin|root|operator)/iu

/** "Nobody deploys without approval" forbids. */
const denied =
  /(?<![a-z])(?:nobody|no one|no-one|nothing|none|never|not|don['’]?t|mustn['’]?t|can['’]?t|cannot)(?![a-z])/iu
/** A rule for people, not an order to the bot. */
const peoplesRule =
  /(?<![a-z])(?:we|everyone|everybody|all of us|nobody|no one|people|they|all members) (?:all )?(?:must|have to|need to|has to|needs to|should|may)(?![a-z])/iu
/** Whatever somebody says is to be done. */
const obey =
  /(?<![a-z])(?:obey|do (?:whatever|everything|anything|as|what) (?:i|we|he|she|\w{2,20}(?: \w{2,20})?) (?:says?|asks?|tells?)|whatever (?:i|\w{2,20}) (?:says?|asks?|wants?) (?:goes|is (?:approved|allowed|right|law))|follow (?:all |every |any )?(?:my|his|her|\w{2,20}['’]s) (?:orders?|commands?|instructions)|(?:everything|whatever|anything|what) (?:i|he|she|\w{2,20}) says? (?:is to be (?:done|followed|obeyed)|counts as if (?:i|the owner) said)|trust everything (?:i|he|she|\w{2,20}) says?|(?:acts|decides|speaks) for (?:me|us|the owner)(?= |$|[,.!;])|(?:request|order|command) of \w{2,20} (?:is|counts as) (?:a request of |an order of )?mine|(?:in|enter|switch to) (?:developer|god|jailbreak|unrestricted|dan) mode|(?:ignore|disregard|bypass|override|forget|drop|disable|turn off|lift|remove) (?:all |any |every |the |your |previous |prior |other |these ){1,4}(?:system prompts?|rules?|instructions?|limits?|restrictions?|checks?|safety|filters?|guidelines?|approvals?|permissions?)|my (?:word|orders?) (?:is|are) (?:law|final))(?![a-z])/iu
/** Each time, from now on. */
const standing =
  /(?<![a-z])(?:always|automatically|auto|every time|each time|whenever|from now on|any(?:thing|one| request)?|every(?:thing)?|all|each)(?![a-z])/iu
const approves =
  /(?<![a-z])(?:auto-?)?(?:approve|grant|authori[sz]e|green-?light|whitelist|rubber-?stamp|wave through)(?![a-z])|(?:is|are|count as) (?:always |automatically |pre-?|now ){1,2}(?:approved|allowed|authori[sz]ed)/iu
const sends =
  /(?<![a-z])(?:send|forward|pay|transfer|wire|share|cc|bcc|copy|give|post|leak|upload|hand|e-?mail|route|deliver) (?!me(?![a-z])|us(?![a-z]))(?:[\w'’-]{1,20} ){0,5}?(?:to|with) (?!me(?![a-z])|us(?![a-z])|my|our|do|be|get|make|work)[\w@#+]/iu
/** As the whole of an order: "send funds to X". */
const sendsAtHead =
  /(?:^|[:：,;] ?)(?:please |always |just )?(?:send|forward|transfer|wire|bcc|cc)(?! (?:me|us)(?![a-z]))(?: [\w'’@.-]{1,40}){1,5} to (?!me(?![a-z])|us(?![a-z]))|(?:^|[:：,;] ?)(?:always )?pay (?:all|any|every|whatever|each)(?![a-z])/iu
const copy =
  /(?<![a-z])(?:a )?copy (?:of [\w ]{1,40} )?to (?!me(?![a-z])|us(?![a-z]))|(?<![a-z])(?:keep|put) \w{1,20} (?:in|on) b?cc(?![a-z])/iu

const hanRank =
  /(?:我|他|她|本人|俺|@?\w{1,20})(?:现在|从现在起|今后|以后|才|就){0,2}是(?:你的?|这个?群的?|本群的?|群里的?|唯一的?|新的?|最高|超级)?(?:管理员|群主|主人|拥有者|所有者|超管|root|admin|owner)(?!的[^权])|(?:把|将)(?:我|他|她).{0,4}(?:当|视|看|设|认).{0,6}(?:管理员|群主|主人|老板|拥有者|owner|admin)|当(?:成)?(?:我是)?(?:管理员|主人|群主)|(?:管理员|最高|超级|全部|所有|root|admin)权限|(?:给|授予|赋予|开放?|开通)(?:我|他|她|.{1,6})?.{0,4}权限|有权(?!利)|[\u4e00-\u9fff]{1,4}是(?:你的?|这个?群的?|本群的?|机器人的?|唯一的?|新的?)?(?:管理员|主人|拥有者|超管)(?!的[^权])|(?:机器人的?|你的?|本群的?|这个?群的?|^)(?:新)?(?:管理员|主人|拥有者|群主)是(?!谁|什么|不是|否)/iu
const hanAllowed =
  /说(?:过|了|好)?(?:我|我们|他|她|咱|大家)(?:也|都)?(?:可以|能|有权|被允许|不用)|(?:允许|授权|准许)(?:我|他|她|我们|所有人|任何人|[^，。,]{1,4}?)(?:可以)?(?:看|读|查|改|删|用|花|转|付|批|访问|代|执行|操作|决定)|(?:我|他|她|任何人|所有人|谁|这个号|本账号|这个账号)(?:都|就|也)?(?:可以|能|可)(?:随便|任意|直接|随意)?(?:看|读|查看|查|改|删|访问|批准?|审批|调用)(?:所有|全部|任何|别人|他人|大家|其他|你|每个|谁|群)|(?:可以|能|可)(?:随便|任意|直接|随意)?(?:使用|调用|用)(?:所有|全部|任何)的?工具|(?:所有|全部|任何)工具都?(?:对|向|给)[^，。]{1,6}(?:开放|可用)|(?:可以|能|可)(?:查看|看|读|查|知道)我们?的(?:笔记|记忆|消息|聊天|秘密)|(?:可以|能|可)(?:随便|任意|直接|随意)?(?:批准|审批)(?:所有|全部|任何|一切)|可以代(?:我|他|她)(?:做主|决定|审批|签)|代表(?:我|他|她)(?:做主|决定|审批|签)|替(?:我|他)(?:做主|拍板|审批|批准)|(?:同意|批准|准许|许可|答应|授权|允许|准)(?:了)?(?:我|他|她|我们)(?:可以|去|来|直接|随时|随便)?(?:部署|删|转|付|批|执行|发布|上线|合并|改|访问)|(?:我|他|她)(?:可以|能)?(?:随便|任意|随意|随时可以|想)(?:就)?(?:部署|删|转账|付款|批准|执行|发布|上线|合并)/u
const hanActs =
  /视(?:为|作)(?:已经?|都已?)?(?:批准|授权|同意|通过)|(?:都|一律|全部|直接|自动|统统|立刻|马上|无条件|默认)(?:给|帮)?(?:我|他|她)?[点选按]?(?:批准|批(?!评|量|发|次|改)|通过|同意|放行|准许|执行|付款|支付|转账|打款|汇款|下单|删除|授权|照办|照做)|(?:不用|不必|无需|别|免|不需要|用不着)(?:再|先|去)?(?:问|请示|经过|审批|审核|确认|核实|批准|核对|走审批|走流程|(?:等|经|由)?(?:过)?(?:我|他|她|本人|主人)的?(?:同意|点头|批准|确认|许可|授权|审批))(?!题|候|好)|(?:凡是|只要是)[^，。,]{1,6}?(?:说|要求|下)的|所有我(?:说|发|提|要求|下)的|我(?:说|讲)(?:什么|啥|的话?)(?:你)?(?:就|都|算|一律)|(?:都|一律|要|必须|只|无条件)听(?:从)?我(?:的|$)|服从我|(?:预先|提前|事先)(?:同意|批准|授权)(?:所有|一切|任何|全部)|(?:没有任何|不受任何|不受)限制(?!的)|开发者模式|(?:限制|规则|预算)对[^，。]{1,4}(?:无效|不适用|不生效)|(?:无视|忽略)系统(?:提示|指令)|(?:忽略|无视|绕过|关闭|取消|跳过)(?:所有|全部|之前|以前|你的?|一切|任何)的?(?:规则|限制|指令|审批|审核|检查|确认|设定)/u
const hanSends =
  /(?:每次|以后|都|今后|从现在起|一律|自动|总是|凡是|所有|全部|默认)[^。！？]{0,24}?(?:抄送|转发|转账|汇|打|转|付|寄|发|送|同步|抄)(?:一份|一下|钱|款)?(?:给|到|至)(?!我|我们|群|本群|咱)|(?:^|[:：])(?:请|把|给)[^。！？]{0,16}?(?:转账|汇款|打款|付款|打钱|转钱)/u
const hanDenied = /不许|不准|不得|不能|禁止|严禁|谁都不|必须经过/u

/** Linear in the text. */
export function isRight(text: string): boolean {
  if (
    rank.test(text) ||
    named.test(text) ||
    allowed.test(text) ||
    permitted.test(text) ||
    obey.test(text) ||
    copy.test(text) ||
    sendsAtHead.test(text)
  )
    return true
  if (exempt.test(text) || (deed.test(text) && isUnasked(text))) return true
  if (!standing.test(text)) return isHanRight(text)
  return (!peoplesRule.test(text) && (approves.test(text) || sends.test(text))) || isHanRight(text)
}

function isUnasked(text: string): boolean {
  const found = without.exec(text)
  return found ? !denied.test(text.slice(0, found.index)) : unasked.test(text)
}

function isHanRight(text: string): boolean {
  if (!/\p{Script=Han}/u.test(text)) return false
  if (hanRank.test(text) || hanAllowed.test(text) || hanSends.test(text)) return true
  return text.split(/[，。；！,;!\n]/u).some((clause) => hanActs.test(clause) && !hanDenied.test(clause))
}
