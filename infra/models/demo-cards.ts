// How the demo model shows cards: it asks people by the same tool as any model, and makes a call that needs their approval. Nothing of it is played:
// what it asks is stored, waits and is answered like any question.
import type { DemoCall, DemoLanguage, DemoTurn } from './demo-turn.ts'
import { boardPostName, boardReadName } from './demo-tools.ts'

export type PlannedCall = { readonly name: string; readonly input: object }

const askName = 'human_ask'
const longestAsked = 100

const shows =
  /\b(?:show|see|give|try|test|demo|demonstrate|example|ask|request|need|want)\b|[看给试来要问请出]|演示|展示|示范|让我/i
const approvalWords = /\bapprov(?:e|al|als)\b|批准|审批/i
const onlyApproval = /^\W*approvals?\W*$|^\s*(?:批准|审批)\s*$/i
const questionWords = /\b(?:choices?|cards?|a question|questions)\b|选择|选一个|卡片|提问/i
const onlyQuestion = /\bask me\b|\blet me (?:choose|pick)\b|问(?:一?问|一下)?我/i

const wantsApproval = (text: string): boolean =>
  onlyApproval.test(text) || (shows.test(text) && approvalWords.test(text))
const wantsQuestion = (text: string): boolean =>
  onlyQuestion.test(text) || (shows.test(text) && questionWords.test(text))
const refuses = /\b(?:not|never|don['’]?t|stop|without)\b|别|不要|不用|不必|不想/i
const isWish = (text: string): boolean => text.length <= longestAsked && !refuses.test(text)

/** The call that the turn's next step makes, of those that are offered. */
export function planCall(turn: DemoTurn, offered: ReadonlySet<string>): PlannedCall | undefined {
  const [last] = turn.calls.slice(-1)
  if (last?.name === boardReadName && offered.has(boardPostName))
    return { name: boardPostName, input: { text: greeting(turn) } }
  if (last) return undefined
  const asked = turn.answersTo === undefined ? turn.asked.filter(isWish) : []
  if (offered.has(boardReadName) && asked.some(wantsApproval)) return { name: boardReadName, input: {} }
  if (offered.has(askName) && asked.some(wantsQuestion))
    return { name: askName, input: { kind: 'choice', deadline_hours: 24, ...toQuestion(turn) } }
  return undefined
}

/** What is said of the last call, or of a person's answer; undefined where it is about nothing of this. */
export function tellOfCards({ calls, answersTo, asked, language }: DemoTurn): string | undefined {
  const last = calls.at(-1)
  if (last) return tellOfCall(last, language)
  const [answer = ''] = asked
  if (answersTo?.includes(boardPostName))
    return language === 'zh' ? '好，留言板上什么都没有写。' : 'All right: nothing was put on the board.'
  if (answersTo === undefined || !isOwn(answersTo)) return undefined
  return language === 'zh' ? `你的回答是：“${answer}”。` : `Your answer was “${answer}”.`
}

function tellOfCall({ name, result }: DemoCall, language: DemoLanguage): string | undefined {
  if (name === askName) return language === 'zh' ? `我没有再问：${result}` : `I did not ask: ${result}`
  if (name !== boardPostName && name !== boardReadName) return undefined
  if (!result.startsWith('On the board now'))
    return language === 'zh' ? `没有写上去：${result}` : `It was not put there: ${result}`
  return language === 'zh'
    ? `你批准了，所以它现在在留言板上（只在演示用的内存里）：“${toNote(result)}”。`
    : `You approved it, so it is on the board now, which is no more than this demo’s memory: “${toNote(result)}”.`
}

const toNote = (result: string): string => result.slice(result.indexOf(': ') + 2)

const greeting = ({ language, called }: DemoTurn): string =>
  language === 'zh'
    ? `你好，这是第 ${called(boardPostName) + 1} 次问候`
    : `Hello! This is greeting number ${called(boardPostName) + 1}`

type Question = {
  readonly question: string
  readonly options: readonly { readonly label: string; readonly pros?: string }[]
  readonly why: string
  readonly otherwise: string
}
/** Each label is one that the demo model can answer by its rules. */
const questions: Readonly<Record<DemoLanguage, readonly [Question, ...Question[]]>> = {
  zh: [
    {
      question: '接下来要我给你看什么？',
      options: [{ label: '一篇长文', pros: '可以看到流式输出' }, { label: '格式示例' }, { label: '现在几点？' }],
      why: '你想看看我怎样提问',
      otherwise: '我给你看格式示例。',
    },
    {
      question: '要我数到几？',
      options: [{ label: '数到 5', pros: '很快' }, { label: '数到 50' }],
      why: '你想再看一个问题',
      otherwise: '我数到 5。',
    },
  ],
  en: [
    {
      question: 'What shall I show you next?',
      options: [
        { label: 'A long answer', pros: 'it streams' },
        { label: 'Some formatting' },
        { label: 'What time is it?' },
      ],
      why: 'you wanted to see how I ask',
      otherwise: 'I show some formatting.',
    },
    {
      question: 'How far do you want me to count?',
      options: [{ label: 'Count to 5', pros: 'quick' }, { label: 'Count to 50' }],
      why: 'you wanted to see another question',
      otherwise: 'I count to 5.',
    },
  ],
}

/** Another one each time: the same is not asked twice. */
function toQuestion({ language, called }: DemoTurn): Question {
  const all = questions[language]
  return all[called(askName) % all.length] ?? all[0]
}

const isOwn = (text: string): boolean =>
  Object.values(questions).some((each) => each.some(({ question }) => text.includes(question)))
