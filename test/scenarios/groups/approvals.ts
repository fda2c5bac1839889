// Calls that people approve, on the page: by whom they were asked for, and by the owner for a member of a group. Each is a real request to a service
// that counts what is written.
import { calls, text, type Asking, type Opening, type Scenario, type Told } from '#test/scenarios/rig/scenario.ts'

const request = ({ run, origin }: Asking, what: string, method = 'POST') =>
  [
    'http_request',
    { method, url: `${origin}/ledger/${run}/${what}`, ...(method === 'POST' ? { body: { what } } : {}) },
  ] as const
const isDecided = ({ text: said }: Asking): boolean => /(?:Approved|Denied, not to be made): /.test(said)
/** What became of it, as the model was told it. */
const toEnd = ({ text: said, results }: Asking): Told =>
  text(
    `So it ends: ${results.filter((one) => one.includes('201')).length} written. ${/says: [^)]*/.exec(said)?.[0] ?? ''}`,
  )

/** Reads what others wrote, so that what it writes then is to be approved by who asks. */
const written =
  (...what: readonly string[]): Scenario['model'] =>
  (asking) => {
    if (isDecided(asking)) return toEnd(asking)
    if (asking.text.includes('What is a rose')) return { ...text('A rose is a flower.'), held: true }
    return asking.step === 0
      ? calls(['look', { what: `the price ${asking.run}` }])
      : calls(...what.map((one) => request(asking, one)))
  }

/** Writes at once: a member has no right to it. */
const wanted: Scenario['model'] = (asking) => (isDecided(asking) ? toEnd(asking) : calls(request(asking, 'one')))

/** A press on a card that is not shown any more is one too late, so each waits for what came of the one before. */
const mixed = [
  ['1. Approve once', '1. `http_request` · changes things outside · approved once'],
  ['2. Deny', '2. `http_request` · changes things outside · denied'],
  ['4. Deny', '4. `http_request` · changes things outside · denied'],
] as const

const asked = 'Look up the price in the list, then write it down.'

const untilAsked: Opening = {
  async play(person) {
    await person.say(asked)
    await person.hear('May I do this?')
  },
}
/** In a group; the owner has said something alone before, so that they can be asked there. */
const untilOwnerAsked: Opening = {
  async play(person) {
    await person.direct.command('/help')
    await person.direct.hear('list the commands')
    await person.member('Write the price down in the list, please.')
    await person.direct.hear('May I do this?')
  },
}

export const approvals: readonly Scenario[] = [
  {
    name: 'approve-once',
    stand: 'alone',
    makes: 2,
    model: written('one'),
    opening: untilAsked,
    async play(person) {
      await person.press('Approve once')
      await person.hear('So it ends: 1 written')
    },
  },
  {
    name: 'approve-denied',
    stand: 'alone',
    makes: 1,
    model: written('one'),
    opening: untilAsked,
    async play(person) {
      await person.press('Deny')
      await person.hear('So it ends: 0 written')
    },
  },
  {
    name: 'approve-reason',
    stand: 'alone',
    makes: 1,
    model: written('one'),
    opening: untilAsked,
    async play(person) {
      await person.reply('May I do this?', 'The price is an old one')
      await person.hear('So it ends: 0 written. says: The price is an old one')
    },
  },
  {
    name: 'approve-four',
    stand: 'alone',
    makes: 3,
    model: written('one', 'two', 'three', 'four'),
    async play(person) {
      await person.say(asked)
      for (const [label, becomes] of mixed) {
        await person.press(label)
        await person.hear(becomes)
      }
      await person.press('3. Approve once')
      await person.hear('So it ends: 2 written')
    },
  },
  {
    name: 'approve-twice',
    stand: 'alone',
    makes: 1,
    model: (asking) => (isDecided(asking) ? toEnd(asking) : calls(request(asking, 'one', 'DELETE'))),
    async play(person) {
      await person.say('Delete the first entry of the list for me.')
      await person.press('Approve once')
      await person.press('Yes, do it')
      await person.hear('So it ends')
    },
  },
  {
    name: 'approve-stale',
    stand: 'alone',
    makes: 2,
    model: written('one'),
    opening: untilAsked,
    async play(person) {
      await person.say('What is a rose?')
      await person.held('model')
      await person.press('Approve once')
      person.letGo('model')
      await person.hear('Please look again')
      await person.press('Approve once')
      await person.hear('So it ends: 1 written')
    },
  },
  {
    name: 'approve-begun-anew',
    stand: 'alone',
    makes: 1,
    model: written('one'),
    opening: untilAsked,
    async play(person) {
      await person.command('/new')
      await person.hear('I did nothing')
    },
  },
  {
    name: 'owner-once',
    stand: 'alone',
    makes: 1,
    model: wanted,
    opening: untilOwnerAsked,
    async play(person) {
      await person.direct.press('Approve once')
      await person.hear('So it ends: 1 written')
    },
  },
  {
    name: 'owner-denies',
    stand: 'alone',
    makes: 0,
    model: wanted,
    opening: untilOwnerAsked,
    async play(person) {
      await person.direct.press('Deny')
      await person.hear('So it ends: 0 written')
    },
  },
  {
    name: 'owner-expires-in',
    stand: 'alone',
    makes: 0,
    model: wanted,
    opening: untilOwnerAsked,
    async play(person) {
      await person.hear('The owner did not answer')
    },
  },
  {
    name: 'owner-always',
    stand: 'alone',
    makes: 2,
    model: (asking) => {
      if (isDecided(asking)) return toEnd(asking)
      if (asking.results.length > 0) return text('It is written without asking.')
      return calls(request(asking, 'one'))
    },
    opening: untilOwnerAsked,
    async play(person) {
      await person.direct.press('For 30 days')
      await person.hear('So it ends: 1 written')
      // Else what the service answered would be read before the next one.
      await person.owner('/new')
      await person.hear('A new session begins')
      // Of what writes the very same is approved.
      await person.member('Write that price once more, please.')
      await person.hear('It is written without asking')
    },
  },
]
