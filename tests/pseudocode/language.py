"""The language of the AMD manuals' pseudocode: text to a tree."""
import re

TOKEN = re.compile(r"""
    (?P<cast>\d+'[UIFB](?=\())
  | (?P<sized>\d+'-?(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)[UI]?)
  | (?P<typename>\d+'[UIFB])
  | (?P<float>\d+\.\d+F?)
  | (?P<int>(?:0x[0-9a-fA-F]+|\d+)(?:ULL|LL|U)?)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op>\+:|<<|>>|<=|>=|==|!=|<>|&&|\|\||\*\*|\+=|-=|[-+*/%~!&|^<>=?:(){}\[\],;.])
  | (?P<space>\s+)
""", re.X)

KEYWORDS = {"if", "then", "elsif", "else", "endif", "for", "in", "do", "endfor", "declare", "lambda", "return", "break", "while",
            "endwhile"}


class NotTranslated(Exception):
    """The text is no pseudocode, or uses what this reader does not know."""


def tokens(text):
    text = re.sub(r"//[^\n]*", "", text)
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise NotTranslated(f"text that is no pseudocode: {text[at:at + 20]!r}")
        at = match.end()
        if match.lastgroup != "space":
            found.append((match.lastgroup, match.group()))
    return found


BINARY = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<>"], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"],
          ["*", "/", "%"]]


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else None

    def take(self, wanted=None):
        if self.at >= len(self.tokens) or (wanted and self.peek() != wanted):
            raise NotTranslated(f"text that is no pseudocode: {self.peek()!r} where {wanted!r} is due")
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, wanted):
        if self.peek() == wanted:
            self.at += 1
            return True
        return False

    def program(self):
        body = self.block(())
        if self.at != len(self.tokens):
            raise NotTranslated(f"text that is no pseudocode: {self.peek()!r}")
        return body

    def block(self, ends):
        statements = []
        while True:
            while self.accept(";"):
                pass
            if self.peek() is None or self.peek() in ends:
                return statements
            statements.append(self.statement())

    def statement(self):
        word = self.peek()
        if word == "if":
            return self.conditional()
        if word == "for":
            self.take()
            self.accept("declare")
            name = self.take()[1]
            self.take("in")
            first = self.expression()
            self.take(":")
            last = self.expression()
            self.take("do")
            body = self.block(("endfor",))
            self.take("endfor")
            return "for", name, first, last, body
        if word == "declare":
            self.take()
            name = self.take()[1]
            self.take(":")
            kind, typename = self.take()
            if kind != "typename":
                raise NotTranslated(f"a declaration of type {typename!r}")
            count = None
            if self.accept("["):
                count = int(self.take()[1])
                self.take("]")
            return "declare", name, typename, count
        if word == "return":
            self.take()
            return "return", self.expression()
        if word == "break":
            self.take()
            return ("break",)
        if word in KEYWORDS and word != "in":
            raise NotTranslated(f"a statement with {word!r}")
        target = self.expression()
        if self.peek() == "=" and self.peek(1) == "lambda":
            self.take(), self.take(), self.take("(")
            parameters = []
            while not self.accept(")"):
                parameters.append(self.take()[1])
                self.accept(",")
            self.take("(")
            if self.peek() in ("if", "declare", "for", "return"):
                body = self.block((")",))
            else:
                body = [("return", self.expression())]
            self.take(")")
            return "lambda", target[1], parameters, body
        if self.peek() in ("+=", "-="):
            sign = self.take()[1][0]
            return "assign", [target], ("binary", sign, target, self.expression())
        targets = [target]
        while self.accept("="):
            targets.append(self.expression())
        if len(targets) == 1:
            return "do", target
        return "assign", targets[:-1], targets[-1]

    def conditional(self):
        self.take()
        condition = self.expression()
        self.take("then")
        then = self.block(("elsif", "else", "endif"))
        if self.peek() == "elsif":
            return "if", condition, then, [self.conditional()]
        other = []
        if self.accept("else"):
            other = self.block(("endif",))
        self.take("endif")
        return "if", condition, then, other

    def expression(self):
        condition = self.binary(0)
        if self.accept("?"):
            then = self.expression()
            self.take(":")
            return "choose", condition, then, self.expression()
        return condition

    def binary(self, level):
        if level == len(BINARY):
            return self.power()
        left = self.binary(level + 1)
        while self.peek() in BINARY[level]:
            operator = self.take()[1]
            left = "binary", operator, left, self.binary(level + 1)
        return left

    def power(self):
        base = self.unary()
        if self.accept("**"):
            return "binary", "**", base, self.unary()
        return base

    def unary(self):
        if self.peek() in ("-", "+", "~", "!"):
            operator = self.take()[1]
            return "unary", operator, self.unary()
        return self.postfix()

    def postfix(self):
        tree = self.primary()
        while True:
            if self.accept("."):
                tree = "field", tree, self.take()[1]
            elif self.accept("["):
                first = self.expression()
                if self.accept(":"):
                    tree = "slice", tree, first, self.expression()
                elif self.accept("+:"):
                    tree = "part", tree, first, self.expression()
                else:
                    tree = "index", tree, first
                self.take("]")
            else:
                return tree

    def primary(self):
        kind, text = self.take()
        if kind == "cast":
            self.take("(")
            value = self.expression()
            self.take(")")
            return "cast", text, value
        if kind in ("sized", "int", "float"):
            return kind, text
        # `in` is the name of an array as well.
        if kind == "name" and (text not in KEYWORDS or text == "in"):
            if not self.accept("("):
                return "name", text
            arguments = []
            while not self.accept(")"):
                arguments.append(self.expression())
                self.accept(",")
            return "call", text, arguments
        if text == "(":
            value = self.expression()
            self.take(")")
            return value
        if text == "{":
            parts = []
            while not self.accept("}"):
                parts.append(self.expression())
                self.accept(",")
            return "concat", parts
        raise NotTranslated(f"text that is no pseudocode: {text!r}")


def parse(text):
    return Parser(text).program()
