// Questions and statements that have nothing to do with each other. How near a model puts them says what its numbers mean: one gives 0.1 to what is
// unrelated, another 0.6. A model that knows no Chinese puts all of it close together.

export const unrelatedQuestions: readonly string[] = [
  'Which bus goes to the harbour?',
  'How long do lentils have to boil?',
  'Who painted the hall last summer?',
  'What did the dentist say about the tooth?',
  'Where can I rent a tent for a week?',
  '明天的会议几点开始？',
  '这台打印机为什么卡纸？',
  '她最喜欢哪一支球队？',
  '从机场到酒店要多少钱？',
  '谁借走了那把梯子？',
]

export const unrelatedStatements: readonly string[] = [
  'My grandmother was born in a village of shepherds.',
  'The invoice was paid twice by mistake.',
  'I am allergic to penicillin.',
  'Our cat sleeps on top of the piano.',
  'He learns Portuguese on Thursdays.',
  '阳台上的薄荷该浇水了。',
  '这首曲子是用大提琴演奏的。',
  '他把护照忘在旅馆里了。',
  '孩子们周末学游泳。',
  '我对花生过敏。',
]
