// Questions and statements that have nothing to do with each other. How near a model puts them says what its numbers mean: one gives 0.1 to what is
// unrelated, another 0.6.

export const unrelatedQuestions: readonly string[] = [
  'Which bus goes to the harbour?',
  'How long do lentils have to boil?',
  'Who painted the hall last summer?',
  '明天的会议几点开始？',
  '这台打印机为什么卡纸？',
  '她最喜欢哪一支球队？',
]

export const unrelatedStatements: readonly string[] = [
  'My grandmother was born in a village of shepherds.',
  'The invoice was paid twice by mistake.',
  'I am allergic to penicillin.',
  '阳台上的薄荷该浇水了。',
  '这首曲子是用大提琴演奏的。',
  '他把护照忘在旅馆里了。',
]
