export const JAVA_VERSIONS = ['8', '11', '17', '21', '25'] as const;
export type JavaVersion = (typeof JAVA_VERSIONS)[number];
