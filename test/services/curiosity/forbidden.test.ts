// What is never asked of anybody: closed matters in both languages, however they are written, in the question, its options and its reason.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findForbidden, type ForbiddenMatter } from '#services/curiosity/gaps/forbidden.ts'
import { findRefusal } from '#services/memory/refuse.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { runs } from '#test/rig/property-runs.ts'

const alone = { isRefused: (): boolean => false }
const withMemory = {
  isRefused: (text: string): boolean => !['right', undefined].includes(findRefusal(text, { group: true })),
}
const judge = (ask: string): ForbiddenMatter | undefined => findForbidden(alone, { ask, why: '' })

describe('forbidden matters', () => {
  it.each<[ForbiddenMatter, string]>([
    ['secret', 'What is the password of your mail account?'],
    ['secret', 'What is the PIN of the gate?'],
    ['secret', 'Which door code does the office have?'],
    ['secret', 'What does the API key begin with?'],
    ['secret', 'What is the login?'],
    ['secret', 'What is the wifi key?'],
    ['secret', 'What is the pw of the shared folder?'],
    ['secret', 'Which code does the shed take?'],
    ['secret', '你们的支付密码是多少？'],
    ['secret', '短信验证码是几？'],
    ['money', 'How much do you earn?'],
    ['money', 'What is your budget for the machine?'],
    ['money', 'What can you afford for rent?'],
    ['money', 'Does Ben owe you something?'],
    ['money', '你一个月工资多少？'],
    ['money', '他欠你多少钱？'],
    ['health', 'Which allergy does the child have?'],
    ['health', 'What illness does Marek have?'],
    ['health', '哪些孩子有过敏？'],
    ['health', '你的血压高不高？'],
    ['identity', 'What is your passport number?'],
    ['identity', 'What is your home address?'],
    ['identity', '你的身份证号是多少？'],
    ['identity', '你家住哪？'],
    ['right', 'May the bot approve the transfers?'],
    ['right', 'Does Bob agree to pay?'],
    ['right', 'Is it so that Bob agrees to pay?'],
    ['right', '要不要给他管理员权限？'],
    ['others', 'Why does Ruan quarrel with Elin?'],
    ['others', 'Which religion has he?'],
    ['others', '他们俩是不是离婚了？'],
    ['others', 'Are she and Tom still together?'],
    ['others', '他们俩有没有复合？'],
    ['money', '你每个月能花多少？'],
    ['health', 'How is your knee doing?'],
    ['secret', 'What is the code for the alarm?'],
    ['secret', 'What is the combination of the safe?'],
    ['secret', 'What is the pass-word of the server?'],
    ['secret', 'What is the unlock pattern of your phone?'],
    ['secret', 'What is the mot de passe?'],
    ['secret', 'What is the пароль?'],
    ['secret', '保险柜怎么打开？'],
    ['money', 'Will you pay for the dinner?'],
    ['money', 'Do you cover the bill?'],
    ['money', 'Will you lend us the car?'],
    ['money', 'What is the rent?'],
    ['money', 'When do you give the money back?'],
    ['money', '你愿不愿意掏腰包？'],
    ['money', '你手头紧不紧？'],
    ['health', '你吃什么药？'],
    ['health', 'Is it right that Bob smokes?'],
    ['health', 'Do you have a cold?'],
    ['health', 'Can you tell me how much Bob weighs?'],
    ['identity', 'Are you an immigrant?'],
    ['identity', 'Where do you live?'],
    ['identity', '你是回族，对吗？'],
    ['others', 'Can you tell me which party Bob votes for?'],
    ['others', 'Are you a Muslim?'],
    ['others', 'Which church do you go to?'],
    ['others', 'Who do you sleep with?'],
    ['others', 'Do you want to quit?'],
    ['others', 'Does your boss drink?'],
    ['others', 'Can you tell me what Bob told Chen in private?'],
    ['others', '你投票给谁？'],
  ])('%s: %s', (matter, ask) => {
    expect(judge(ask)).toBe(matter)
  })

  it.each([
    'How long is the slot for the retro?',
    'Does your classroom have a fume hood?',
    'On which days do you have time for the long run?',
    'Could you call the caretaker and ask whether the lift can be used all day?',
    'Which poem for the birthday party do you choose: the long or the short one?',
    'Who pins the poster to the board?',
    'Which number shall the runner have?',
    'How much does the parcel weigh?',
    'What do you drink with the dinner?',
    'Is the church big enough for the concert?',
    'Do you have time to wait for the bus?',
    '周会一般开多长时间？',
    '能不能给剧场管理员打电话问一下？',
    '年夜饭的主食要饺子还是年糕？',
    '奶奶的手机是什么牌子？',
  ])('leaves %j', (ask) => {
    expect(findForbidden(withMemory, { ask, why: '' })).toBeUndefined()
  })

  it.each([
    'What is your ｐａｓｓｗｏｒｄ?',
    'What is your pass\u200bword?',
    'What is your p\u00adassword?',
    'What is your раssword?',
    'What is your pαsswοrd?',
    'What is your p4ssw0rd?',
    'What is your p@$$word?',
    'What is your p.a.s.s.w.o.r.d?',
    'What is your P A S S W O R D?',
    'What is your pássẃord?',
    '你的密\u200b码是多少？',
    '你的密 码是多少？',
    '你的密*码是多少？',
    '你的密碼是多少？',
    '你的身·份·证号？',
  ])('reads %j as it is read', (ask) => {
    expect(judge(ask)).toBeDefined()
  })

  it('reads options and the reason too', () => {
    expect(findForbidden(alone, { ask: 'Which one?', options: ['the salary', 'the date'], why: '' })).toBe('money')
    expect(findForbidden(alone, { ask: 'Which one?', why: 'the page asks for the password' })).toBe('secret')
    expect(findForbidden({ isRefused: (text) => text.includes('4111') }, { ask: 'Is 4111 right?', why: '' })).toBe(
      'secret',
    )
  })

  it('refuses whatever memory refuses of health, money and identity', () => {
    expect(findForbidden(withMemory, { ask: 'Is it still so that the card is 4111 1111 1111 1111?', why: '' })).toBe(
      'secret',
    )
  })

  it('takes time in proportion to the text, and throws at nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (ask) => {
        judge(ask)
      }),
      runs(200),
    )
    const before = processorMs()
    for (const unit of ['p ', '密*', 'а', 'why is he ', '\u0301', 'how much do you '])
      findForbidden(withMemory, { ask: unit.repeat(20_000), why: unit.repeat(20_000) })
    expect(processorMs() - before).toBeLessThan(2000)
  })
})
