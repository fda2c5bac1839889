// The SDK's own log, switched off: it holds texts, tokens and addresses. What goes wrong is told by the answers.
const nothing = (): void => {}

export const quiet = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing }
