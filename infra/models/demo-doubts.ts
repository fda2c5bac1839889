// How the demo model shows curiosity: its plan rests on guesses, and it says so. What comes of that is not played: the doubts are collected, and a card asks
// about them as after any model's answer.
import type { DemoLanguage, DemoTurn } from './demo-turn.ts'

const longestAsked = 100
const refuses = /\b(?:not|never|don['’]?t|stop|without)\b|别|不要|不用|不必|不想/i
const plans = {
  meeting: /\bplan (?:\w{1,12} ){1,3}meeting\b|(?:安排|计划)[^，。！？]{0,6}会议?[吧。！!\s]{0,3}$/i,
  trip: /\bplan (?:\w{1,12} ){1,3}trip\b|(?:安排|计划)[^，。！？]{0,6}(?:出游|旅行)[吧。！!\s]{0,3}$/i,
} as const
const doubts =
  /\b(?:show|see|give|tell|try|example)\b.{0,20}\b(?:doubts?|curiosity)\b|[看试来说].{0,6}(?:疑问|好奇心?)[吧。！!\s]{0,3}$/i

type Name = keyof typeof plans

/** Undefined for a message that wants none of this. The plan says three or two things that only a person can tell. */
export function tellDoubts(asked: string, { language, replies }: Pick<DemoTurn, 'language' | 'replies'>) {
  if (asked.length > longestAsked || refuses.test(asked)) return undefined
  const name = findPlan(asked) ?? (doubts.test(asked) ? (replies % 2 === 0 ? 'meeting' : 'trip') : undefined)
  return name === undefined ? undefined : `${texts[language][name]}\n\n${what[language]}`
}

const findPlan = (asked: string): Name | undefined =>
  plans.meeting.test(asked) ? 'meeting' : plans.trip.test(asked) ? 'trip' : undefined

const texts: Readonly<Record<DemoLanguage, Readonly<Record<Name, string>>>> = {
  zh: {
    meeting:
      '先说近况，再谈没定的事，最后大家提问。\n\n我不知道会议有多长，先按 30 分钟排。我假设会议在线上开。我不知道谁来做记录。',
    trip: '早上坐火车出发，散步、吃午饭，晚上回来。\n\n我不知道有几个人去，先按六个人排。我假设出游只有一天。',
  },
  en: {
    meeting:
      'First the news, then the open points, then questions from everybody.\n\nI don’t know how long the meeting is, so I took 30 minutes. I assumed that the meeting is online. I don’t know who takes the notes.',
    trip: 'Out by train in the morning, a walk and lunch, home in the evening.\n\nI don’t know how many people come along, so I planned for six. I assumed that the trip takes one day.',
  },
}

const what = {
  zh: '这样的疑问会变成一张卡片：私聊安静两分钟后来，一天最多一张，夜里不来。`/questions` 列出来，`/questions now` 马上就来。',
  en: 'Such doubts come back as a card in our direct chat: after two quiet minutes, once a day at most, and not at night. `/questions` lists them, and `/questions now` brings the card at once.',
} as const
