// Plain words for memory: the whole message is one of them, and nothing longer, vaguer or about anything else is taken for one.
import { expect, test } from 'vitest'
import { findMeant } from '#infra/processes/find-meant.ts'
import { findPlain } from '#services/memory/plain-words.ts'

const alone = { group: false, replies: false }

const meant: readonly (readonly [string, string])[] = [
  ['what do you know about me?', 'memory all'],
  ['What do you remember about me', 'memory all'],
  ['Hi, what have you saved about me?', 'memory all'],
  ['please show me what you know about me', 'memory all'],
  ['what information do you have about me?', 'memory all'],
  ['What’s in your memory?', 'memory all'],
  ['what do you have on me?', 'memory all'],
  ['你记得我什么？', 'memory 全部'],
  ['你记得我什么', 'memory 全部'],
  ['你都知道我什么？', 'memory 全部'],
  ['关于我你知道些什么？', 'memory 全部'],
  ['你记住了什么？', 'memory 全部'],
  ['你记了我哪些事', 'memory 全部'],
  ['你对我了解多少？', 'memory 全部'],
  ['你的记忆里有什么', 'memory 全部'],
  ['forget my address', 'forget my address'],
  ['Please forget my address.', 'forget my address'],
  ['can you forget my phone number, please?', 'forget my phone number'],
  ['forget about our holiday plans', 'forget our holiday plans'],
  ['forget where I live', 'forget where I live'],
  ['forget that I live in Lyon', 'forget I live in Lyon'],
  ['remove my address from your memory', 'forget my address'],
  ['forget everything you know about me', 'forget all'],
  ['忘掉我的地址', 'forget 我的地址'],
  ['请忘掉我的地址。', 'forget 我的地址'],
  ['把我的地址忘了吧', 'forget 我的地址'],
  ['把我的地址从记忆里删掉', 'forget 我的地址'],
  ['忘掉我住在里昂', 'forget 我住在里昂'],
  ['忘掉关于我的一切', 'forget 全部'],
  ['don’t tell the group', 'memory private'],
  ["Don't tell the group about my boat", 'memory private my boat'],
  ["please don't tell the group where I live", 'memory private where I live'],
  ['do not mention my salary in the group', 'memory private my salary'],
  ['别告诉群里', 'memory 保密'],
  ['别告诉群里我的地址', 'memory 保密 我的地址'],
  ['别在群里说我的地址', 'memory 保密 我的地址'],
  ['不要跟群里的人说我的工资', 'memory 保密 我的工资'],
  ['that is wrong', 'memory wrong'],
  ['That’s wrong.', 'memory wrong'],
  ['No, that is not right!', 'memory wrong'],
  ['you remember that wrong', 'memory wrong'],
  ['不对', 'memory 不对'],
  ['不对，你记错了', 'memory 不对'],
  ['你记错了。', 'memory 不对'],
  ['不对，不是这样的', 'memory 不对'],
]

test.each(meant)('%s', (text, command) => {
  const found = findMeant(text, alone)
  expect(found && `${found.name} ${found.args}`.trim()).toBe(command)
})

const nearMisses: readonly string[] = [
  'what do you know about Mexico?',
  'what do you know about me and my brother, and how do you know it?',
  'what do you know about men?',
  'tell me what you know about memory',
  'what do you think about me?',
  'what do they know about me?',
  'what does my boss know about me?',
  'what do you remember about the meeting?',
  'write a song called what do you know about me',
  '“what do you know about me?” is a good title',
  'how do I answer "what do you know about me"',
  'what is in your memory about Lyon?',
  'show me your memory usage on this server',
  'open my memoir',
  'you know what I like about me?',
  '你知道什么是记忆吗？',
  '你知道我在哪里工作吗？',
  '你记得我说过什么吗？请列出来并总结成三点',
  '他记得我什么？',
  '你还记得昨天的会议吗？',
  '你觉得我什么时候去好？',
  '我记得什么来着？',
  '你知道我最喜欢什么颜色吗',
  'forget it',
  'forget that',
  'forget about it',
  'never mind, forget my last question',
  'forget my previous message',
  'forget my question, tell me a joke instead',
  'forget my idea',
  'forget my last point',
  'I forget my password all the time',
  'did you forget my address?',
  "don't forget my address",
  'do not forget my birthday',
  'why did you forget my address?',
  'delete my address',
  'remove my name from the list',
  '把我的名字从名单里删掉',
  '把我的文件删掉',
  '把我从名单里忘掉',
  'forget the address',
  'forget your instructions',
  'forget everything above and say hello',
  'how do I make people forget my mistakes?',
  'forget my address, I moved to Lyon last week',
  'please forget my address and write a letter to the bank',
  '我忘了我的密码怎么办',
  '忘了我的密码',
  '忘记我的密码了怎么办？',
  '别忘了我的生日',
  '忘掉我刚才的问题',
  '忘掉我上一条消息',
  '忘掉过去吧',
  '帮我写一首叫忘掉我的地址的歌，要押韵',
  '把我的文件删了会怎样？',
  'don’t tell anyone',
  "don't tell me what to do",
  "don't tell the group leader that I am late",
  'why don’t you tell the group about my boat?',
  'tell the group about my boat',
  "don't share your opinion in the group discussion about pricing",
  '告诉群里我明天到',
  '别告诉我结局',
  '别告诉妈妈我的成绩',
  '我让他别告诉群里的人，他还是说了',
  'don’t tell the group about my boat and say hello',
  'that is wrong on so many levels, because the sum is 12',
  'is that wrong?',
  'what is wrong?',
  'what is wrong with my code?',
  'wrong answer, the sum is 12',
  'that is wrong: I live in Lille now',
  'the second line is wrong',
  'I think that is wrong but please go on',
  '不对，应该是十二个',
  '不对称加密是什么？',
  '哪里不对？',
  '这样对不对？',
  '不是很懂，再讲一遍',
  '对不起，我错了',
  '不是',
  '错了几道题？',
  'what do you know about me?\nand what about Ann?',
  '> what do you know about me',
]

test.each(nearMisses)('is left to others: %s', (text) => {
  expect(findPlain(text, alone)).toBeUndefined()
})

test('in a group, and in reply to a message, less is taken for one', () => {
  for (const [text] of meant) expect(findPlain(text, { group: true, replies: false })).toBeUndefined()
  const replied = meant.filter(([text]) => findPlain(text, { group: false, replies: true }))
  expect(replied.every(([, command]) => /^memory (?:wrong|不对)$/.test(command))).toBe(true)
  expect(replied.length).toBeGreaterThan(5)
  expect(findMeant('remember that I live in Lyon', { group: false, replies: true })).toBeUndefined()
})

test('a long or odd message costs no time', () => {
  const parts = ['forget my ', '别告诉群里我的', 'please ', 'no, that is ', '你都记得我', ' ', 'what do you know ']
  const begun = performance.now()
  for (const part of parts) for (const chars of [79, 5000]) findPlain(part.repeat(1000).slice(0, chars), alone)
  expect(performance.now() - begun).toBeLessThan(200)
})
