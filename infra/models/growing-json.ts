// A text that grows piece by piece, and whether it is a whole JSON object or list by now. Each sign is looked at once, so that whoever asks after every
// piece pays for no more than the text. It says nothing of what stands between the brackets.

export type GrowingJson = { add(piece: string): void; text(): string; isWhole(): boolean }

const blank = /^\s*$/

export function createGrowingJson(): GrowingJson {
  let text = ''
  let levels = 0
  let place: 'before' | 'inside' | 'in a text' | 'escaped' | 'behind' | 'no JSON' = 'before'

  function look(sign: string): void {
    const isOpen = sign === '{' || sign === '['
    if (place === 'escaped') place = 'in a text'
    else if (place === 'in a text') place = sign === '\\' ? 'escaped' : sign === '"' ? 'inside' : place
    else if (place === 'before' || place === 'behind') {
      if (blank.test(sign)) return
      place = isOpen && place === 'before' ? 'inside' : 'no JSON'
      levels = 1
    } else if (place === 'inside') {
      if (sign === '"') place = 'in a text'
      else if (isOpen) levels += 1
      else if (sign === '}' || sign === ']') levels -= 1
      if (levels === 0) place = 'behind'
    }
  }

  return {
    add(piece) {
      text += piece
      for (const sign of piece) look(sign)
    },
    text: () => text,
    isWhole: () => place === 'behind',
  }
}
