/** Puts each place of a text that the pattern finds into a `mark` element. */
export function markWords(fragment: DocumentFragment, pattern: RegExp): void {
  const texts: Text[] = []
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
  for (const text of texts) {
    const parts: (string | Node)[] = []
    let end = 0
    for (const { 0: word, index } of text.data.matchAll(pattern)) {
      const mark = document.createElement('mark')
      mark.textContent = word
      parts.push(text.data.slice(end, index), mark)
      end = index + word.length
    }
    if (parts.length > 0) text.replaceWith(...parts, text.data.slice(end))
  }
}
