// Keys that belong to an input method, which chooses words by Enter and Escape.

/** What browsers send instead of a key's own number while an input method takes it. https://w3c.github.io/uievents/#determine-keydown-keyup-keyCode */
const takenByInputMethod = 229

/** Safari ends the composition before its last key, which then only its number gives away. @param {KeyboardEvent} event */
export const isOfInputMethod = (event) => event.isComposing || event.keyCode === takenByInputMethod
