// How an English answer says that it did not know something. Contractions are written out before ("don't" is "do not"), so that each frame stands once.
// Every pattern is bounded, and none has two ways to read the same words.

const flags = 'iu'
const not =
  '(?:do not|does not|did not|cannot|can not|could not|was not able to|am not able to|am unable to|was unable to|have no way (?:to|of)|had no way (?:to|of)|have not been able to|would not)'
const learn =
  '(?:know(?:ing)?|tell(?:ing)?|say(?:ing)?|see|judge|find out|make out|work out|figure out|find|decide|gather|determine|verify|check|confirm|settle|learn|look up|read off|be sure|remember|weigh|gauge|rate|assess|foresee)'
const nobody =
  '(?:nobody|no one|no-one|none of you|nothing|neither of you|you|they|the (?:chat|group|note|notes|sheet|page|request|message|messages|text|list|folder|file|plan))'
const told =
  '(?:said|say|says|mentioned|mention|mentions|told me|tell me|tells me|told us|tell|tells|wrote|write|writes|stated?|states|specif(?:y|ied|ies)|named?|names|indicates?|gave|gives?|reveals?|shows?|decided?|listed|counted|noted|recorded|reported|answered|checked)'

/** What follows is not known: a question word, a noun, or nothing. */
export const unknownAfter: readonly RegExp[] = [
  new RegExp(
    `\\b(?:I|we) (?:really |simply |just |still |also |honestly )?${not} (?:really |quite |yet |actually )?${learn}(?: for (?:sure|certain)| yet| from here| from the \\w{1,15})?(?: of| about| as to)?\\b`,
    flags,
  ),
  /\b(?:not|nor) (?:\w{2,12}ly |quite |at all |so |too )?(?:sure|certain|clear)(?: yet)?(?: about| of| as to| on)?\b/iu,
  /\b(?:unsure|uncertain|unclear|undecided|in the dark)(?: to me)?(?: about| of| as to| on| over)?\b/iu,
  /\b(?:no|without any|any) (?:idea|clue|information|word|hint|indication)(?: yet)?(?: about| of| as to| on)?\b/iu,
  new RegExp(
    `\\b(?:nobody|no one|no-one|none of you|neither of you|nothing)(?: here| so far| in (?:the|this) \\w{1,12})? (?:has |have |ever |yet ){0,2}${told}\\b`,
    flags,
  ),
  new RegExp(
    `\\b${nobody} (?:have |has )?(?:did not|do not|does not|not|never|nowhere)(?: yet| ever)? ${told}\\b`,
    flags,
  ),
  /\b(?:without|not) (?:knowing|being told|having been told|having asked|asking)\b/iu,
  /\b(?:I|we) (?:would |still )?(?:need|want|have|like) to know\b|\b(?:would|will) (?:help|be good|be useful) to know\b|\bonce I know\b|\bif (?:only )?I knew\b/iu,
]

/** More of the same, less common. */
export const unknownAfterToo: readonly RegExp[] = [
  /\byou(?: would| will| surely| probably)? (?:know|judge|tell|see|can (?:judge|tell|say)) (?:this |that |it )?(?:better|best|more exactly)(?: than (?:I|me)(?: do| can)?)?,?/iu,
  /\b(?:I|we) (?:can|could) only (?:guess|suppose|speculate|estimate)(?: at| about)?\b|\b(?:would|will) (?:only |just )?be guessing(?: at| about)?\b/iu,
  /\b(?:hard|difficult|impossible) (?:for me )?to (?:say|tell|judge|know|guess)(?: from here| from the \w{1,12})?\b/iu,
  /\b(?:no|without any|not a) (?:trace|mention|sign|word|inkling|notion|way of knowing|means of knowing)(?: of| about| on)?\b/iu,
  /\b(?:was|were|have been|am) (?:not|never) (?:told|given|informed|shown)(?: of| about)?\b|\bhave yet to (?:learn|hear|see|find out)\b/iu,
  /\b(?:could not|cannot|can not|did not|did not dare to|was not able to) (?:quite |really )?(?:decide|settle|choose|make up my mind)(?: on| about)?\b/iu,
  /\b(?:I|we) (?:have|had) (?:never|not|no) (?:\w+ly )?(?:seen|heard|met|visited|tried|learned|learnt|read)\b/iu,
  /\bneither [^,.;]{3,60}? nor [^,.;]{3,60}? (?:says?|tells?|mentions?|gives?|names?|shows?|states?)\b/iu,
  /\b(?:is|are|was|were) (?:of )?(?:no (?:help|use)|silent|mute|vague)(?: either)? (?:with|on|about|as to|for)\b/iu,
  /\b(?:turned|brought|dug|came|come) up (?:nothing|empty|blank)(?: on| about| for)\b|\bdrew (?:a )?blanks? (?:on|for)\b|\bsays? nothing (?:of|about|on)\b/iu,
  /\bwho knows\b|\bremains to be seen\b|\bthe question (?:is|remains)\b|\bopen (?:question|point)(?: is)?:?\b/iu,
]

/** What follows decides between what the answer weighs up. */
export const depends =
  /\b(?:depend(?:s|ing)?|turns?|hinges?|hangs?) (?:\w{2,12}ly |a lot |only )?(?:up)?on\b|\b(?:comes?|boils?) down to\b|\bis a (?:question|matter) of (?!taste)/iu

/** What stands before is not known. */
export const unknownBefore: readonly RegExp[] = [
  /\b(?:is|are|was|were|has been|have been) (?:not|never|nowhere) (?:yet |really |quite |being )?(?:said|written|stated|mentioned|given|clear|known|named|settled|decided|told|noted|specified|recorded|documented|fixed|agreed|in (?:the|your|this) \w{1,15})\b/iu,
  /\b(?:stands?|is|are|was|were) (?:written |said |mentioned |noted |found )?(?:nowhere|(?:in|on) (?:no|none of))\b/iu,
  /\b(?:is|are|remains?|stays?|was|were) (?:still |quite |rather |left |completely )?(?:unclear|open|unknown|unsettled|undecided|uncertain|unconfirmed|anyone['’]s guess|up to you|your (?:call|decision|choice)|a matter of taste|for you to \w{2,10}|yours to \w{2,10}|beyond me|a mystery)\b/iu,
  /\b(?:only )?(?:you|@?[A-Z][a-z]{1,15}) (?:alone |will |best )?(?:can|could|know|knows|(?:has|have) to|must|should|would) ?(?:best |have to )?(?:say|tell|judge|know|decide|best)?\b/u,
  new RegExp(`\\b(?:I|we) (?:really |simply |just |still )?${not} ${learn}\\b`, flags),
  new RegExp(
    `\\b(?:nobody|no one|no-one|none of you) (?:has |have |ever )?${told}\\b|\\b(?:you|they) (?:did not|have not|never|do not) (?:yet )?${told}\\b`,
    flags,
  ),
  /\b(?:I|we) (?:have )?(?:left|leave|had to leave) (?:it |that |this )?(?:open|blank|empty|to you)\b/iu,
  /\b(?:is|are|was|were) (?:still |also )?(?:missing|blank|empty|lacking|absent|outstanding|left (?:out|blank|empty|open)|to be (?:filled|decided|confirmed|settled))\b/iu,
  /\bcannot be (?:seen|told|known|read|made out|inferred)\b/iu,
  /\b(?:I|we) (?:have|had|see|saw|find|found) (?:no|nothing|not) (?:information|word|hint|note|record|way|idea|clue|to go by)\b/iu,
]

export const unknownBeforeToo: readonly RegExp[] = [
  /\b(?:is|are|was|were) nowhere to be (?:found|seen|had)\b|\b(?:is|are|was|were) (?:not|missing|absent) (?:in|on|from|among) (?:any|our|your|the|my|these|those)\b/iu,
  /\b(?:(?:the|your) [\w' -]{2,30}|you|[A-Z][a-z]{2,15}) alone (?:can|could|may|will|would|knows?)\b|\bnobody but (?:you|the \w+|[A-Z]\w+) (?:can|knows?|could)\b/u,
  /\b(?:I|we) (?:have|had) (?:never|not|yet to|no idea|no clue|no way)\b/iu,
  /\b(?:escapes me|is lost on me|is hidden from me|is past me|is anybody['’]s guess|is a guess|is guesswork|is another matter|is not mine to \w{2,10})\b/iu,
  /\b(?:is|are|was|were) (?:yet )?to be (?:decided|settled|confirmed|agreed|filled in|announced|seen)\b|\bhas (?:yet to|not) be(?:en)? \w{3,12}\b/iu,
  /\b(?:I am|I was|we are) not (?:\w+ly )?(?:sure|certain)\b/iu,
  /\b(?:I|we) (?:do|did) not have\b|\b(?:is|are|was|were) (?:illegible|unreadable|inaudible|blurred|cut off|garbled|smudged)\b/iu,
  /,? only (?:ears|eyes|a (?:tongue|nose|hand|tester|taster)|your (?:ears?|eyes?|tongue|nose|hands?|palate)|somebody (?:there|on site)) (?:can|could|will|would) (?:tell|say|judge|decide|see|hear)\b/iu,
  /\b(?:makes?|would make) (?:all the|a (?:big|great)|the|some) difference\b|\bdecides (?:it|that|everything|here)\b|\bsettles (?:it|that)\b/iu,
  /\b(?:the|your|our) \w{2,15}(?: \w{2,12})? (?:does|do|did) not (?:say|tell|state|show|mention|give)\b/iu,
  /\b(?:you|[A-Z][a-z]{2,15}) (?:will|would|surely|certainly|may|might) (?:know|tell|say)\b/u,
]

const lead =
  '(?:have |had |just |simply |only |therefore |also |then |again |here |provisionally |tentatively |for now |would |will |had to ){0,3}'

/** What follows was taken to be so: "that" and a statement, a statement, or a value. */
export const assumedAfter: readonly RegExp[] = [
  new RegExp(
    `\\b(?:I|we) ${lead}(?:am |was |are |were )?(?:assum(?:ed|e|ing)|suppos(?:ed|e|ing)|presum(?:ed|e|ing)|guess(?:ed|ing)?|imagined|figured|reckon(?:ed)? (?:with|on)|count(?:ed|ing)? on|estimat(?:ed|ing)|took (?:it )?for granted|tak(?:e|ing) (?:it )?for granted|(?:took|take) it|started from|work(?:ed|ing) from|went on as if|go on as if|(?:acted|wrote|planned|counted|did it|treated it|worked) as (?:if|though)|proceed(?:ed)? as (?:if|though)|carried over|took over|copied over|made up|invented|improvised|pencilled in|penciled in|extrapolated|filled in)(?: (?:at|to be|from))?\\b`,
    flags,
  ),
  /\b(?:(?:on|under|in) the (?:assumption|guess|understanding|belief|hope|premise)|my assumption (?:is|was)|assuming|it assumes|this assumes|that assumes|the \w{2,15} assumes|supposing|presuming)\b/iu,
  /\b(?:had to guess|my (?:best )?guess (?:is|was)|a guess of mine (?:is|was))\b/iu,
]

/** What stands before it was taken to be so. */
export const assumedBefore: readonly RegExp[] = [
  /\b(?:is|are|was|were) (?:only |just |merely |purely |simply |my |a |an |pure |rough |own |mere ){0,4}(?:guess(?:ed|work|es)?|assum(?:ed|ptions?)|estimates?|estimated|placeholders?|made up|invented|provisional|tentative|defaults?|invention|unconfirmed|out of thin air)\b/iu,
  /\b(?:by|as the|as a) (?:default|placeholder)\b|\bunless (?:told|I hear|somebody says|someone says|you say) otherwise\b/iu,
  /\b(?:comes?|came|is taken|was taken|is|are) from (?:me|nowhere|thin air)\b/iu,
]

/** Verbs of choosing that tell of a doubt only together with a reason. */
export const chose = new RegExp(
  `\\b(?:I|we) ${lead}(?:took|take|used|use|set|put(?: down| in)?|planned|plan|wrote|write|entered|made it|chose|picked|went (?:with|for|by)|go (?:with|by)|settled (?:on|for)|kept(?: to)?|keep(?: to)?|calculated (?:with|for)|counted|wrote down|noted|reserved|allowed|scheduled|sized|ordered|addressed|signed|based (?:it|this|them) on|stuck (?:to|with)|left|(?:counted|treated|booked|entered|took|read) (?:you|them|it|this|her|him|the \\w{2,15}) (?:down )?as|treated|translated|spelled|called|dated|priced|copied|borrowed|reused|lifted|transferred)\\b`,
  flags,
)
export const weakReason =
  /\b(?:because|since|as|for) (?:nobody|no one|nothing|neither|none|I (?:do|did|could|had|have|was|am|cannot)|most|many|(?:it|that) is (?:the |how |as )?(?:usual|common|most|what|many|much|it was|last)|there (?:is|was) (?:no|nothing))|\b(?:because|since) you (?:did not|have not|never)|\b(?:going|judging) by\b|\b(?:pending|awaiting)\b|\buntil (?:you|somebody|someone|I hear|told|further)\b|\b(?:since|because|as) (?:the|your|our) [\w ]{2,25} (?:does not|do not|did not|is not|are not|lacks?|has no|have no)\b|\bby default\b|\bas (?:a placeholder|a guess|usual|always|before|last|in (?:the )?(?:last|previous)|(?:it|that) (?:was|is) (?:usual|common))|\bfor (?:now|the time being|the moment|want of|lack of)\b|\bprovisionally\b|\btentatively\b|\bto be (?:safe|on the safe side)\b|\bat random\b|\bwithout (?:asking|checking|knowing|being told|having|any|confirmation)\b|\bunasked\b|\b(?:on my own|of my own accord|my own (?:choice|idea|invention))\b|\blast (?:year|time|month|week|season|spring|summer|autumn|winter)['’]s?\b|\bthe (?:usual|commonest|most common|standard|customary|same as)\b|\bjust in case\b|\b(?:custom|customary|habit|tradition|convention)\b|\b(?:since|because|as) I (?:know|knew|had|have|found|saw) (?:nothing|no)\b|\bfor (?:want|lack) of\b|; for (?:more|fewer|less)\b|\botherwise\b|\bif not\b|\bthough (?:nobody|no one|nothing|that|you|I)\b|\bwhichever\b|\bfrom (?:last|memory|an old|an earlier|another|other|(?:the|your|our) (?:\w{1,12} )?(?:old|last|previous|earlier|edition|template|footer))\b|\bI (?:was|am) not (?:sure|certain)\b|\b(?:does|do|did) not (?:mention|say|tell|explain|cover)\b/iu

/** A value that nothing gives: a noun follows. */
export const missing: readonly RegExp[] = [
  /\b(?:there (?:is|are|was|were)|(?:I|we|you) (?:have|had|see|saw|found|find|know of|know|got|got)|it (?:has|gives|names)|(?:the|your|our|its|two|three|four|some|several) \w{2,15}(?: \w{2,12})? (?:has|have|gives?|names?|shows?|holds?|contains?|mentions?|lacks?)) (?:still |also |as yet )?(?:no|nothing (?:on|about|for))\b(?! (?:idea|clue|doubt|need|problem|way|matter|reason|time|hands|one|longer|more|less|hurry|rush|harm|sign|word)\b)/iu,
  /\b(?:could not|did not|cannot|can not) (?:find|locate|see|spot)(?: any| a| an| the| anything (?:on|about))?\b/iu,
  /\bI (?:was|am|have been) (?:given|told|sent|shown) no\b/iu,
  /\b(?:have|had) nothing to go by (?:for|on|about)\b/iu,
  /\bI (?:only|just) have [^,.;]{2,40}, (?:but |and )?no\b/iu,
  /\b(?:looked|searched|went) (?:\w{1,12} ){0,8}(?:for|up) /iu,
  /\b(?:is|are|was|were) still lacking\b|\black(?:s|ed)\b/iu,
]

/** What the answer refuses to ask or leaves alone: no doubt comes of such a sentence. */
export const leftAlone =
  /\b(?:nobody|no one|no-one) (?:can|could) (?:know|say|tell|predict)\b|\bneed not\b|\bnone of my business\b|\bnot my business\b|\b(?:will|would|did|do|should) not (?:ask|follow|do that|pass|repeat|collect|look into|go into|pry)\b|\bignored\b|\bleft (?:that|it|them) out\b|\bdisregard|\bnot for me to\b|\bno need to (?:know|say|tell)\b|\bdoes not matter\b|\bnever mind\b|\bmakes no difference\b/iu

/** Taste, fit, mood, tone: a person judges them. */
export const evaluative =
  /\b(?:too|fits?|suits?|right for|sounds?|looks?|tastes?|feels?|smells?|funny|witty|cheeky|stiff|works?|matches|appropriate|fitting|suitable|tone|mood|taste|style|good enough|strict enough|\w{3,12} enough|difficult|hard|easy|pretty|beautiful|strong|convincing|natural|moving|touching|offensive|level)\b/iu
export const judging =
  /\b(?:judge|judgement|judgment|a matter of taste|only (?:ears|eyes|a (?:tongue|nose))|your (?:tongue|nose|palate|ears|eyes)|taste|ear for|eye for|feel for|your (?:ear|eye|call)|only you (?:can|could|know)|you (?:have|will have) to (?:see|say|tell|decide)|see for yourself|for you to (?:say|judge|decide|feel))\b/iu

/** Hesitation among options. */
export const hesitates =
  /\b(?:lean(?:ed|ing)? (?:to|towards?)|torn|hesitat(?:e|ed|ing)|waver(?:ed|ing)?|toss-up|undecided|cannot decide|could not decide|could not choose|cannot choose|either (?:one )?would|either is|either works|(?:would|will|could) both|both (?:would|fit|work|are (?:fine|possible|good)|have)|hard to (?:choose|say which)|close call|on the fence|swing(?:s|ing)? between|in two minds|slightly prefer|tend(?:ed)? to(?:wards?)?|mixed both|(?:can|could|may|might) (?:either )?(?:mean|be read as|stand for|refer to)|they differ|differs?|do not agree|disagree|contradict each other)\b/iu
