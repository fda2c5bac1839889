// What people settle as they talk, and what only sounds like it.
import { expect, test } from 'vitest'
import { findAnchors } from '#services/memory/anchors/find.ts'

const find = (text: string) => findAnchors({ chat: 'group', atMs: Date.UTC(2026, 10, 29), speaker: 'Ann', text })

test.each([
  ['We decided to use Postgres for the shop.', 'decision'],
  ['We agreed that releases go out on Tuesdays.', 'decision'],
  ["Ok, we'll go with the blue logo.", 'decision'],
  ['We are going with Hetzner for hosting.', 'decision'],
  ["Let's go with the smaller venue.", 'decision'],
  ['At the meeting we agreed on two-week sprints.', 'decision'],
  ["We've chosen Vite as our bundler.", 'decision'],
  ['Decision: the newsletter moves to Thursdays.', 'decision'],
  ["It's decided that the stand-up is at nine.", 'decision'],
  ['From now on we write the minutes in English.', 'decision'],
  ['Starting Monday everyone logs their own hours.', 'decision'],
  ['The API must not return personal data.', 'constraint'],
  ['Images can be at most 200 kB.', 'constraint'],
  ['Every release must be signed by two people.', 'constraint'],
  ['The deadline for the draft is 3 March.', 'constraint'],
  ['The new deadline: Friday at noon.', 'constraint'],
  ['Invoices have to be in by the 5th.', 'constraint'],
  ['Guests are not allowed to push to main.', 'constraint'],
  ['Every time the build breaks, we check the lock file first.', 'pattern'],
  ['Whenever a migration runs, then restart the workers.', 'pattern'],
  ['Each time we add a service, we update the diagram.', 'pattern'],
  ['We always tag the commit before a deploy.', 'pattern'],
  ['The budget for the venue is 500 euros.', 'metric'],
  ['Our error rate target is below 1 percent.', 'metric'],
  ['The p95 latency should stay under 300 ms.', 'metric'],
  ['Test coverage stays above 80%.', 'metric'],
  ['The alert threshold is set to 90.', 'metric'],
  ['我们决定用 Postgres。', 'decision'],
  ['大家一致决定周五不发版。', 'decision'],
  ['那就用蓝色的标志。', 'decision'],
  ['我们约定每周一开例会。', 'decision'],
  ['从下周开始，大家都写英文纪要。', 'decision'],
  ['接口不得返回个人信息。', 'constraint'],
  ['图片最多两百 KB。', 'constraint'],
  ['报告截止日期是三月三号。', 'constraint'],
  ['上线前必须两个人审核。', 'constraint'],
  ['每次构建失败都要先看锁文件。', 'pattern'],
  ['一旦改了表结构就要重启服务。', 'pattern'],
  ['场地预算是五百欧。', 'metric'],
  ['报警阈值定为 90。', 'metric'],
  ['测试覆盖率不低于 80%。', 'metric'],
])('%s', (text, kind) => {
  expect(find(text)).toMatchObject([{ kind }])
})

test.each([
  'Should we decide to use Postgres?',
  'We have not decided on the venue.',
  'Maybe we go with the blue logo.',
  'They decided to use Oracle.',
  'If we agree on a date, I will book it.',
  'I decided to go to bed early.',
  'We might go with Hetzner.',
  'We went with her to the station.',
  'Let us see what they decided.',
  'He said "we decided to use Oracle" yesterday.',
  '> We decided to use Oracle.',
  'I must call my mother.',
  'You must be tired.',
  'It must be raining.',
  'There were at least ten people.',
  'My limit is 2 beers.',
  'The speed limit is 50 here.',
  'What is the budget for the venue?',
  'The budget is tight.',
  'Every time I see him, I smile.',
  'Whenever it rains the cat sleeps.',
  'Each time is different.',
  'From now on I eat less sugar.',
  'We almost agreed on the date.',
  'I think we decided on the blue one.',
  'The deadline was missed.',
  'We decided?',
  'Pretend we decided to move to Mars.',
  'Thanks, we talked about the threshold.',
  'Remember that we decided to use Postgres.',
  '我们决定了吗？',
  '我们还没决定用哪个数据库。',
  '他们决定用 Oracle。',
  '要不就用蓝色的吧',
  '我决定早点睡。',
  '他说“我们决定用 Oracle”。',
  '至少来了十个人。',
  '预算很紧。',
  '每次我看到他都很开心。',
  '如果必须选，我选蓝色。',
  '决定权在老板手里。',
  '听说截止日期是三月三号。',
])('not: %s', (text) => {
  expect(find(text)).toEqual([])
})

test('a metric has its topic', () => {
  expect(find('The budget for the venue is 500 euros.')).toMatchObject([{ topic: 'budget for the venue' }])
  expect(find('我们的场地预算是五百欧。')).toMatchObject([{ topic: '场地预算' }])
})

test('each sentence by itself, and a long text in little time', () => {
  expect(find('We decided to use Postgres. The budget for it is 500 euros.').map(({ kind }) => kind)).toEqual([
    'decision',
    'metric',
  ])
  const begun = performance.now()
  for (const sign of ['every time ', 'we decided ', 'budget ', '每次', '预算', 'must '])
    find(sign.repeat(Math.floor(3900 / sign.length)))
  expect(performance.now() - begun).toBeLessThan(2000)
})
