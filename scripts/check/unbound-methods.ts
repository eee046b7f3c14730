import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import ts from "typescript-js";
import type { Check, Finding } from "./finding.ts";
import { isTestCode, sourceFiles } from "./source-files.ts";

/** Tests need no check: a lost object throws as soon as one reaches it. */
const PROJECTS = ["shared", "api", "relay", "web"];
const CONFIG = "tsconfig.json";

/** Return the names of all methods of classes; only what has such a name is looked up, which needs the types. */
async function methodNames(root: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const file of await sourceFiles(root)) {
    if (isTestCode(file)) continue;
    new Visitor({
      MethodDefinition({ key, kind, static: isStatic }) {
        if (kind === "method" && !isStatic && key.type === "Identifier") names.add(key.name);
      },
    }).visit(parseSync(file, await readFile(join(root, file), "utf8")).program);
  }
  return names;
}

type Interfaces = ReadonlySet<ts.Node>;

/** Return the interfaces that classes of these files implement, with those that they extend. */
function implementedIn(files: readonly ts.SourceFile[], checker: ts.TypeChecker): Interfaces {
  const found = new Set<ts.Node>();
  const add = (reference: ts.ExpressionWithTypeArguments): void => {
    for (const each of checker.getTypeAtLocation(reference).symbol?.declarations ?? []) {
      if (!ts.isInterfaceDeclaration(each) || found.has(each)) continue;
      found.add(each);
      for (const { types } of each.heritageClauses ?? []) types.forEach(add);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) {
      for (const { token, types } of node.heritageClauses ?? []) {
        if (token === ts.SyntaxKind.ImplementsKeyword) types.forEach(add);
      }
    }
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  return found;
}

/** Return true for a method of a class, and for one of an interface that a class implements. */
const isMethodIn =
  (implemented: Interfaces) =>
  (symbol: ts.Symbol | undefined): boolean =>
    symbol?.declarations?.some((each) => {
      if (ts.isMethodSignature(each)) return implemented.has(each.parent);
      if (!ts.isMethodDeclaration(each) || !ts.isClassLike(each.parent)) return false;
      const isStatic = (ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Static) !== 0;
      return !isStatic && !each.getSourceFile().fileName.includes("/node_modules/");
    }) ?? false;

/** Return true for `thing.method` that is called, compared or asked for its type at once. */
function isHarmless({ parent }: ts.PropertyAccessExpression, node: ts.Node): boolean {
  if (ts.isCallExpression(parent) || ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return ts.isTypeOfExpression(parent) || ts.isExpressionStatement(parent);
}

/** Return true for an expression that may be an object of a class; a literal is none. */
const isOfThing = (expression: ts.Expression): boolean =>
  ts.isIdentifier(expression) ||
  ts.isPropertyAccessExpression(expression) ||
  ts.isAwaitExpression(expression);

/** Return the first place of each method that leaves its object in a file: as a value, by destructuring, by a spread. */
function unboundIn(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  names: ReadonlySet<string>,
  isMethod: (symbol: ts.Symbol | undefined) => boolean,
): { node: ts.Node; name: string }[] {
  const found: { node: ts.Node; name: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && names.has(node.name.text) && !isHarmless(node, node)) {
      if (isMethod(checker.getSymbolAtLocation(node.name))) found.push({ node, name: node.name.text });
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name) && names.has(name.text)) {
        const method = checker.getTypeAtLocation(node.parent).getProperty(name.text);
        if (isMethod(method)) found.push({ node, name: name.text });
      }
    } else if (ts.isSpreadAssignment(node) && isOfThing(node.expression)) {
      const lost = checker.getTypeAtLocation(node.expression).getProperties().find(isMethod);
      if (lost) found.push({ node, name: lost.name });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** @param parsed files that other projects have read before */
function unboundOf(
  root: string,
  project: string,
  names: ReadonlySet<string>,
  parsed: Map<string, ts.SourceFile | undefined>,
): Finding[] {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, project, CONFIG), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(`${project}: ${JSON.stringify(messageText)}`);
    },
  });
  if (!config) throw new Error(`cannot read ${project}/${CONFIG}`);
  const host = ts.createCompilerHost(config.options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, read(name, ...rest));
    return parsed.get(name);
  };
  const files = config.fileNames.filter((name) => !isTestCode(name.slice(root.length + 1)));
  const program = ts.createProgram(files, config.options, host);
  const checker = program.getTypeChecker();
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(join(root, project, "/")));
  const isMethod = isMethodIn(implementedIn(program.getSourceFiles(), checker));
  return own.flatMap((file) =>
    unboundIn(file, checker, names, isMethod).map(({ node, name }) => ({
      file: file.fileName.slice(root.length + 1),
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      message: `\`${name}\` is a method of a class and loses its object here: call it in a function`,
    })),
  );
}

/** Find methods of classes that are passed on without their object: they have no private fields when they are called. */
export const unboundMethods: Check = {
  name: "methods keep their object",
  async run(root) {
    const names = await methodNames(root);
    const parsed = new Map<string, ts.SourceFile | undefined>();
    return PROJECTS.filter((project) => existsSync(join(root, project, CONFIG))).flatMap((project) =>
      unboundOf(root, project, names, parsed),
    );
  },
};
