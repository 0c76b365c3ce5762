// PostgreSQL stores no NUL.
export const isWithoutNull = (text: string): boolean => !text.includes('\0')
