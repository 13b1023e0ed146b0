/** Brings what we use of the official SDK, which is bundled by itself (scripts/build.mjs). */
export { McpServer } from '@modelcontextprotocol/server';
export type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
