// What the token estimate knows by heart, 6 KB: characters and words that are one token in both cl100k_base and
// o200k_base (OpenAI's public encodings), checked against them by the estimate's test. It holds no vocabulary.

/** Characters beyond ASCII that are one token each. */
export const oneTokenCharacters: ReadonlySet<string> = new Set(
  [
    '·‐‑–—―‘’‚“”„†•…、。《》「」『』【】〜あいうえおかがきくけこごさざしじすせそただちっつてでとどなに',
    'のはばまみめもやよらりるれろわをんアィイウェエオカキクグコサシジスズセタダチッテデトドナニバパビピフブプペポマム',
    'メャュョラリルレロン・ー一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任',
    '份企优会传但位体何余作你使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化',
    '北区十午华单南即历原去县参及友反发取变口只可台右号司合同名后向否含听启告员周命和品哈商問器四回因国图土在地场址型',
    '城基報場填增声处备复外多大天失头女好如始子字存学安宋完定实审客家容密对导将小少尔就局展山岁州工左已市布常平年并广',
    '序库应店度建开异式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手打找技投报拉持指按换据排接推提播支收',
    '改放政效数整文料断新方族无日时明易星是時景更最月有服期木未本机权束条来板构析果查标样核格案检模次款止正此步歳段每',
    '比民気水求江汽没治法注活流海消清游源火点無然片版物特率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私',
    '种科秒称移程稍税稿空立站章端笑符第等签简算管箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装',
    '西要見见规视角解言計記話読计认议记论设证评试话询该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这',
    '进连述退送选通速造連道邮部都配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高',
    '黑！（），－．／０１２３４５６７８９：；＞？＾～･￥',
  ].join(''),
)

/** Frequent English words that are one token each, in lower case and with a capital. */
export const oneTokenWords: ReadonlySet<string> = new Set(
  [
    'about above act action actions add after again against agent align all allow alone already also alt always',
    'among and another answer any anything api app apply arch are around array ask async author available await',
    'back bad badge bar base based bash because been before begin being below best better between blank body',
    'boolean bot both box branch budget buffer bug build built busy but buttons cache call callback calls can',
    'cannot card carry case cause center change channel chat check child children class clean clear client close',
    'cluster code color column com come command commands common complete condition connection console const',
    'content context continue control core cost could count create current custom cut data date day debug deep',
    'default design detail dev did different direct discord doc docs does done down drop during each edit effect',
    'either else end enter err error errors even event events ever every everything example exist expect eye fact',
    'failed failure false family far fast fetch few field file files final find fine first five floor follow foo',
    'for form formatter found four free from full function functions gateway general generated get github give',
    'given global gmail good graph group half hard has hash have head held hello help her here high him history',
    'hold home host hour how however html http human idea ideas image img import important imports include index',
    'input inside install instance instead into issue issues its javascript job jobs json just keep key keys kind',
    'know known language large last late later learn least leave left less let level library license life light',
    'like limit line list live local log long look loop lost low made main major make many map mark matter max',
    'may member memory message messages method might min mind minute mode model module moment money month more',
    'most much must name need needs never new news next node nodes non none not note nothing notice now null',
    'number object off old once one only open option optional options order org original other our out output',
    'over own package page parameters parent parse part pass past path pattern people per person pipeline place',
    'plan platform please plugin point policy port possible press process produce project promise prompt',
    'properties property provide public put query question queue quick ran range read ready real reason receive',
    'record redis release reply report reports request requests require resolve response rest result retry return',
    'returns right room rule rules run running runs same save say script search second section see seen send sent',
    'server service session set shared she short should show side signal simple since size small social some',
    'something sort source space spec special src standard start state status stay step steps still stop stream',
    'string style sub such summary support sure svg system table take talk target task telegram term test tests',
    'text than that the their them then there these they thing this those thread three through time timeout title',
    'today token tokens too tool tools top total true try turn two type types under unit unknown until update url',
    'usage use used user using usually value values var version versions very wait walk want was way web week',
    'well were what when where whether which while who whole why width will window with within without word work',
    'worker workers world would write www yes you your',
  ]
    .join(' ')
    .split(' '),
)

/** For each block of 64 code points from U+4E00 to U+9FFF, the most tokens one of its characters takes. */
export const hanBlockTokens = [
  '2222222222323222222222222232222333322232222222323333322222233332222222222232233322222222322322222222',
  '2222223232333333222222222222222223333233233322333322233322333222223332232222222222223223223333222223',
  '2222333222222232233333333233333332223322222332222222222233333222222233323333233333222222222222332222',
  '3323323333333333333333323323',
].join('')

/** One bit for each pair of letters (row: first letter, column: second): 1 where English hardly ever has the pair. */
export const rareLetterPairs: readonly number[] =
  '1g0zo in0wv dgwm5 15k67 1ekh i0jvh i62xr indlr 9uei indr3 indr3 ai4v1 8nl7h 1lhp 718i ihdsv 13ydi7 718l cu8m5 cuxp1 tjy7 indvj iho5b 12mldr in9mn indvj'
    .split(' ')
    .map((row) => Number.parseInt(row, 36))
