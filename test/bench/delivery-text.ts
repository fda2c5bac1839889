// What is delivered: a usual answer, some formatting in it.
export const text = [
  'A queue keeps the **order** of messages; a worker takes the *oldest* one, and acknowledges it when it is done.',
  '',
  '- if the worker dies, the message is taken by another one',
  '- `ack` comes last, so nothing is lost',
  '',
  'See https://example.org/queues for more.',
].join('\n')
