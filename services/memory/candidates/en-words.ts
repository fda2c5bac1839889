// English words by what they do in a clause. Verbs stand in their base form.

export const toSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

export const adverbs = toSet(
  'really also always never usually generally normally mostly mainly just still only actually totally absolutely definitely pretty quite very currently now already honestly simply strongly often sometimes rarely hardly seldom personally both tend too sadly luckily fortunately officially finally basically probably truly deeply secretly typically regularly exclusively strictly far much more better best most',
)
/** What pleases or displeases. */
export const liking = toSet(
  'like love enjoy prefer hate dislike adore detest loathe favour favor appreciate despise fancy cherish treasure dread avoid skip',
)
/** What is so for long: homes, work, family, possessions, skills. */
export const lasting = toSet(
  'live work teach study run own lead manage drive speak play commute come belong maintain operate share rent sing dance volunteer coach coordinate organise organize handle freelance train practise practice stay sleep park sit wear cycle bike breed grow raise keep host sell repair build design write paint translate edit research supervise chair head serve specialise specialize major attend produce bake brew farm garden support stream moderate collect',
)
/** What lasts only where it is said how often, or that it is always or never so. */
export const habits = toSet(
  'eat drink take go have use read watch listen order buy get do make start finish leave wake walk ride swim jog climb hike meet call check answer reply respond fast pray visit travel fly cook clean shop exercise pick drop babysit work sleep see hold close open shut fetch bring water feed practise play train sit drive teach volunteer post review deploy release ship count log',
)
/** A choice of the person, when it is always or never so. */
export const choices = toSet('eat drink use read watch listen order buy wear answer reply respond smoke take fly shop')
export const mental = toSet(
  'think guess suppose wonder believe feel know mean see say hear bet hope wish doubt understand remember forget imagine assume expect figure reckon swear admit agree promise want need mind care try seem look get let plan consider',
)
/** Changes in the past that tell how it is now. */
export const changed = toSet(
  'moved switched changed bought adopted started joined became got married retired transferred relocated enrolled opened founded inherited upgraded',
)
export const settled = toSet('decided agreed settled chose chosen picked voted concluded opted')
/** What somebody takes on. */
export const noDeed = toSet(
  'be have think see try let go wait ask know understand say admit get come feel like love hate sleep eat rest leave run stop stay live look hear believe want need sit stand laugh cry die do keep remember check take tell use work',
)
export const brief = toSet(
  'now today tonight tired hungry late sleepy bored busy sick cold ill stuck waiting exhausted starving lost confused ready done sorry afraid glad happy sad angry annoyed worried excited sure fine okay ok here there back home alone free awake drunk wet hot curious interested stressed nervous thirsty impressed grateful soon shortly minute minutes moment currently lately yesterday brb afk',
)
/** Nouns of what passes, or of the talk itself. */
export const passing = toSet(
  'question questions problem problems idea ideas doubt doubts issue issues point guess opinion thought thoughts feeling headache cold flu fever hangover time minute moment second chance clue bug error errors request favour favor suggestion internet connection wifi battery build code text draft mood head stomach brain bus train flight taxi screen sentence bad fault turn message messages answer answers reply result luck fun faith look word joke story plan plans hope deal reason point question day morning evening night week weekend lunch dinner breakfast coffee hands patience energy',
)
/** People who are not the speaker's to speak of. */
export const outsiders = toSet(
  'boss bosses chief manager managers colleague colleagues coworker coworkers friend friends buddy neighbour neighbours neighbor neighbors flatmate roommate client clients customer customers teacher teachers mate mates pal acquaintance ex landlord landlady supervisor intern classmate classmates assistant tenant',
)
/** What lasts when somebody is so. */
export const traits = toSet(
  'married divorced single engaged widowed retired self-employed freelance left-handed right-handed lefthanded ambidextrous colour-blind color-blind colorblind colourblind deaf blind short-sighted nearsighted bilingual trilingual dyslexic tall short allergic lactose gluten intolerant coeliac celiac diabetic asthmatic pregnant vegan-born jewish muslim catholic buddhist hindu christian atheist unemployed adopted orphaned born',
)
export const diets = toSet('vegan vegetarian pescatarian teetotal teetotaller veggie flexitarian kosher halal keto')
export const styleNouns = toSet(
  'answer answers reply replies response responses message messages code snippet snippets example examples number numbers unit units metric celsius fahrenheit date dates time times currency euro euros dollar dollars english german french spanish chinese dutch italian polish portuguese language languages tone emoji emojis emoticons bullet bullets list lists table tables markdown heading headings line lines sentence sentences paragraph paragraphs word words summary summaries explanation explanations link links source sources jargon greeting greetings formal informal short shorter long brief concise plain simple spelling british american typescript python javascript java rust format style text texts abbreviations acronyms steps recipe recipes name nickname pronouns hour clock kilometres kilometers miles grams kilos small talk smalltalk title titles voice intro intros preamble disclaimers apologies apology chart charts screenshots files pdf pdfs photos pictures signature comments quotes bold caps uppercase lowercase font punctuation exclamation hashtags',
)
export const styleVerbs = toSet(
  'answer reply respond write keep use give show explain send post speak talk call address stop do skip avoid put list format start begin end include add leave quote spell sign round convert translate summarise summarize tell make be stick assume cite mention attach say text greet spare drop present structure state phrase type refer suggest recommend offer limit omit mark label prefer ask',
)
export const dropHeads = toSet(
  'order make text call send give use tell show help find keep put add try write suggest recommend remind ask be go come let pick take ideas suggestions tips advice',
  'so because since as which that thinking funny does do did is are am can could would should will what where when who how why any if though although unless then tastes please thanks thank cheers ok okay by lol but hence therefore whatever believe trust sorry just hope hopefully apparently no yes right even otherwise feel nice great good might maybe',
)
const weekday = 'monday tuesday wednesday thursday friday saturday sunday'
export const weekdays = toSet(weekday)
export const often = toSet(
  'mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends weeknights mornings evenings afternoons nights every each daily weekly monthly yearly fortnightly biweekly twice annually quarterly nightly year-round',
)
export const months = toSet('january february march april may june july august september october november december')
