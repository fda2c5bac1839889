// The base of English words that no rule of endings finds: "went" is "go", "children" are one "child".

/** The base, then its other forms. "lives" and "leaves" are taken for verbs: people are asked where they live more often than about nine lives. */
const forms = `
arise arose arisen
awake awoke awoken
be am is are was were been being
bear bore born borne
beat beaten
become became
begin began begun
bend bent
bet bets
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
creep crept
dance dancing
deal dealt
dig dug
do did done does
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown flies
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
grind ground
grow grew grown
hang hung
have had has
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
lean leant
leap leapt
learn learnt
leave left leaves
lend lent
lie lay lain lying
light lit
live lives
lose lost
make made
mean meant
meet met
mistake mistook mistaken
pay paid
prove proven
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
speak spoke spoken
spend spent
spin spun
spill spilt
stand stood
steal stole stolen
stick stuck
sting stung
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undergo underwent undergone
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
write wrote written
child children
man men
woman women
person people
foot feet
tooth teeth
mouse mice
goose geese
knife knives
wife wives
wolf wolves
shelf shelves
loaf loaves
half halves
thief thieves
self selves
calf calves
hobby hobbies
good better best
bad worse worst
far further furthest
die dying died dies
tie tying tied ties
marry marriage
`

const bases = new Map(
  forms
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [base = '', ...others] = line.split(' ')
      return others.map((form) => [form, base] as const)
    }),
)

/** The base of a lower-case word, or the word itself. */
export const toLemma = (word: string): string => bases.get(word) ?? word
