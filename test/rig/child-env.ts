// What a process that a test starts takes from the test's environment: where programs are, and where Node keeps what it compiled. None of
// the settings of whoever runs the tests.
import process from 'node:process'

const { PATH = '', NODE_COMPILE_CACHE } = process.env

export const childEnv: Readonly<Record<string, string>> = {
  PATH,
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
}
