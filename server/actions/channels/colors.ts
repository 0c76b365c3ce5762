// Colors that users can distinguish on light and dark backgrounds.
const palette = [
  '#5b8def',
  '#e0794b',
  '#4fae6a',
  '#c25b8e',
  '#8f7ee6',
  '#d9a441',
  '#4fb3bf',
  '#b5654a',
  '#7aa95c',
  '#9c6fb6',
  '#d46a6a',
  '#5f9ea0',
  '#c78fbf',
  '#6b8fb3',
  '#a3a847',
  '#e08fa0',
  '#57a88b',
  '#b08d57',
  '#7c9be0',
  '#c96f3f',
  '#86b366',
  '#a879c9',
  '#c9b04f',
  '#6fb0d6',
] as const

/** The initial color of a channel, the same for all users, so that many new subscribers share one event. */
export function startingColor(channelId: number): string {
  return palette[channelId % palette.length] as string
}
