// Whether a sentence of the bot's shows by its words that it may rest on something that the bot did not know. Looser than the frames of the rules, which also
// have to read the unknown clause: here a model has read it, and only a sign has to be there. A plain statement shows none. Every pattern is bounded.

const english: readonly RegExp[] = [
  // It says what is not: it did not know, was not told, did not find, cannot do.
  /\b(?:not|cannot|never|nobody|no one|nothing|nowhere|no|none|neither|nor|hardly|barely)\b|n['’]t\b/iu,
  /\b(?:unsure|uncertain|unclear|undecided|unknown|unconfirmed|unsettled|unspecified|unread\w*|illegible|missing|blank|empty|tb[dc]|open|pending|vague|silent|guess\w*|assum\w+|suppos\w+|presum\w+|imagin\w+|estimat\w+|placeholder|default\w*|provisional\w*|tentative\w*|hesitat\w+|torn|whether|depend\w*|hinges?|wonder\w*|trust\w*|gambl\w+|perhaps|maybe|seems?|apparently)\b/iu,
  // A value was taken, or one of several.
  /\b(?:for (?:now|the moment|the time being|lack of|want of)|granted|analog\w+|carried over|lifted|borrowed|copied|went (?:with|for|by)|stuck (?:to|with)|settled (?:on|for)|made up|my own|invented|custom|habit|same as|last (?:year|time|month|week|season|\w+day)|usual\w*|most people|typical\w*|normal\w*|standard|average|roughly|about|presumably|probably|either|both|half|between|one of|lean\w*|toss-?up|rather than|instead|or|than|alone|only|as (?:in|at|is|it|they))\b|\b(?:two|three|four|five|several|some)\b[^.:]{1,30}[:(]/iu,
  /\bI(?:['’]ve| have| had)? (?:\w{2,12}ly |just |then |also |still )?(?:[a-z]{2,14}(?:ed|en|pt|lt|nt|nd)|put|took|chose|set|wrote|made|drew|gave|read|cut|had|have|kept|went|got|let|did|would|am|was)\b/u,
  /\b(?:breaks?|rule|differ\w*|disagree\w*|opinions?|from (?:here|memory)|says? nothing)\b/iu,
  // It holds only if something is so.
  /(?:^|[;,] )should\b/iu,
  /\b(?:if|unless|should (?:you|it|he|she|they|the|your|there)|provided|in case|as long as|otherwise|once|because|since|until)\b/iu,
  // Somebody else's hands, knowledge or taste.
  /\b(?:somebody|someone|you(?:['’]d| would| can| could| will| may| might| have| know|['’]ll)|would|up to you|your (?:call|choice|decision)|taste|mood|feel\w*|fits?|suits?|tone|judge|confirm\w*|in person|on (?:the )?(?:site|spot)|login|intranet)\b/iu,
  // It went against what was known, or rests on an old remark or on what ends.
  /\b(?:but|although|though|even|despite|against|unlike|contrary|exception|passing|remark|remember|mentioned|expires?|runs out|ends?|valid|old)\b/iu,
  // It asked or proposed.
  /[?？]|\b(?:shall|may I|suggest\w*|propos\w+|recommend\w*|offer\w*|ideas?|I['’]d|how about|what about|let me know|tell me|alternatively|options?|versions?|drafts?)\b/iu,
]

const chinese: readonly RegExp[] = [
  /[不没無无未難难缺空]|拿捏|待(?:定|确认|补|填|核)|存疑|留白|两可|犹豫|纠结|摇摆|之间|还是|或者?|要么|二选一|是否|能否|可否/u,
  /先(?:都|就|给你|帮你|统一|暂)?(?:按|照|写|用|放|定|填|排|选|取|当|算|报|列|留|标|推荐|做|设|安排|订|给|住|拿|以|挑|估|发|译|画|拟|摆|走|称|套)|暂|姑且|权且|只好|只能|只剩|默认|假(?:定|设|如)|预(?:设|估|计)|沿用|参照|参考|按|照|猜|估|编的|大概|大约|左右|应该|占位|随手|随便|我|比着|上(?:次|回|学期|个?月|个?季)|去年|往年|各(?:一|放|有|写|来)|口径|一般|通常|多数|惯例/u,
  /如果|要是|假如|倘若|万一|的话|除非|取决于|要看|得看|看你|只要|否则|若|才|因为/u,
  /[你您][们家]?(?:自己)?(?:定|看|来|决定|判断|了解|拿主意|把关|说了算|更|最)|大家|得(?:问|请|找|让|去|有)|口味|品味|审美|气氛|氛围|风格|语气|感觉|程度|难度|适合|合适|喜欢|主观|现场|实拍|照片|拍|电话|登录|内网|账号|亲自|当面/u,
  /虽然|尽管|但|却|破(?:个)?例|例外|比你|向来|一向|超(?:过|出)|随口|顺口|提过|说过|以前|到期|期满|截止|有效期/u,
  /[?？]|建议|推荐|可以|如何|备选|方案|哪|另|[两二三四五几](?:个|种|版|款|条|样|处|份|位|边)[^。]{0,12}[：:，,]/u,
]

/** Linear in the text, of which the first 600 characters count. */
export function showsUnknown(sentence: string): boolean {
  const text = sentence.slice(0, 600)
  return (/\p{Script=Han}/u.test(text) ? chinese : english).some((sign) => sign.test(text))
}
