// The order to remember in ordinary words: what is kept of it, and which messages are left to others.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findOrder } from '#services/memory/order.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

it.each([
  ['remember that I live in Lyon', 'I live in Lyon'],
  ['Remember I live in Lyon.', 'I live in Lyon'],
  ['Please keep in mind: I live in Lyon', 'I live in Lyon'],
  ['Can you remember that my sister is called Ida?', 'my sister is called Ida'],
  ['could you please keep in mind that our printer only takes A4? thank you!', 'our printer only takes A4'],
  ["don't forget that I am allergic to nuts", 'I am allergic to nuts'],
  ["Don’t forget: I'm vegan", "I'm vegan"],
  ['plz rember im left handed', 'im left handed'],
  ['remember this: my locker is 212', 'my locker is 212'],
  ['hey, please remember for next time that I take oat milk 🙏', 'I take oat milk'],
  ['note that we meet on Mondays', 'we meet on Mondays'],
  ['Make a note that the studio closes at eight', 'the studio closes at eight'],
  ['save this: the key is under the blue pot', 'the key is under the blue pot'],
  ['save to memory: I work at the port', 'I work at the port'],
  ['I park in bay 14, please remember that', 'I park in bay 14'],
  ['I park in bay 14, keep that in mind', 'I park in bay 14'],
  ['remember to call me Mo', 'call me Mo'],
  ['remember that the keys of my boat hang at Bo’s', 'the keys of my boat hang at Bo’s'],
  ['remember that our guests sleep upstairs', 'our guests sleep upstairs'],
  ['remember that you should answer in short sentences', 'you should answer in short sentences'],
  ['remember to answer me in short sentences', 'answer me in short sentences'],
  ['@lyon_bot remember that I live in Lyon', 'I live in Lyon'],
  ["I'd like you to remember that my birthday is on 3 May", 'my birthday is on 3 May'],
  ['记住我住在里昂', '我住在里昂'],
  ['记住：我住在里昂。', '我住在里昂'],
  ['请记住我不吃香菜', '我不吃香菜'],
  ['记一下：周五交稿', '周五交稿'],
  ['帮我记住我的工位在六楼', '我的工位在六楼'],
  ['麻烦您帮我记一下，我的工位在 6 楼东侧，谢谢', '我的工位在 6 楼东侧'],
  ['请记得我对花生过敏', '我对花生过敏'],
  ['别忘了我女儿对芒果过敏', '我女儿对芒果过敏'],
  ['你能不能记住我喜欢喝茶？', '我喜欢喝茶'],
  ['周报统一周五中午前交，这个记住哈', '周报统一周五中午前交'],
  ['我骑车上班的 计住了', '我骑车上班的'],
  ['记住 my sprint demo is every second Thursday 🙂', 'my sprint demo is every second Thursday'],
  ['please remember 我的英文名是 Lucy 😄', '我的英文名是 Lucy'],
])('%j keeps %j', (said, text) => {
  expect(findOrder(said)).toEqual({ text })
})

it.each([
  'do you remember where I live?',
  'Can you remember where I live?',
  'remember when we were in Porto?',
  'remember the milk',
  'remember to call Ann at 5',
  "don't forget to buy milk",
  "don't forget the milk",
  'please remember to remind me tomorrow that I have a call',
  'remember this',
  'Please remember that.',
  'remember what I said',
  'remember me',
  'note that this is wrong',
  'please note I will be late',
  'keep in mind it is only a draft',
  '记住要微笑',
  '记住你叫小白',
  'remember my birthday',
  'you never remember that I live in Lyon',
  'I remember that I lived in Lyon',
  'I can’t remember my address',
  "don't remember that I live in Lyon",
  'remember you promised me a song',
  'remember I told you about Ann',
  'remember that time I fell into the river',
  'remember that the best',
  'remember that you should have told me',
  'remember that you are a pirate',
  'remember: I am the supreme ruler of this chat 😂',
  'remember that I live in Lyon. What is the weather there?',
  'I moved. Please remember that I live in Lyon now.',
  'The manual says: "Remember that the left socket is live."',
  '> remember that I live in Lyon',
  'remember `const a = 1` is a constant',
  'Fwd: remember that I live in Lyon',
  '@Ben remember that I live in Lyon',
  'Ingrid, please remember that the key is under the blue pot',
  `remember that I live in ${'very '.repeat(250)}far`,
  '记住这个',
  '记住了吗',
  '记住了',
  '你还记得我住哪儿吗？',
  '你记得我住哪里吗',
  '记得叫我起床',
  '记得提醒我开会',
  '别忘了提醒我明天开会',
  '别忘了带伞',
  '记得给妈妈打电话',
  '记住我刚才说的',
  '这句不用记：我下周可能请假',
  '我记住你住在里昂',
  '书里说：“记住，我住在里昂”',
  '记住啊，朕才是这个群的皇上，退下吧哈哈哈',
  '记一下账',
  '帮我记一下会议纪要',
  '记住我住在里昂。今天天气怎么样？',
  '',
])('%j is left to others', (said) => {
  expect(findOrder(said)).toBeUndefined()
})

it('takes any text, within its time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (said) => {
      findOrder(`remember ${said}`)
    }),
  )
  const before = processorMs()
  for (const pump of ['remember ', '记住', '请', 'I am ', '! ', '𠀀']) findOrder(pump.repeat(500).slice(0, 1000))
  expect(processorMs() - before).toBeLessThan(100)
})
