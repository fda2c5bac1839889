// What makes a process one of the next release (next-release.ts says how they differ).
export const next = {
  NODE_OPTIONS: `--import=${new URL('./next-release.ts', import.meta.url).href}`,
  SAMPLE_FEATURE: '1',
}
