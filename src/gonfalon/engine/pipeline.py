"""How Numba compiles the rules: each function once, and machine code only of what Python or several entries call.

Numba would optimise every function together with all that it calls, again at every level of calls, and make machine
code of each. Here a `helper` is a part that is optimised in the entries that reach it; a `shared` rule is machine code
of its own, which entries call by name and of which they hold no copy. Numba's passes for what rules have none of
(closures, `with`, literals that unroll, array expressions) are left out.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

from numba import _dynfunc
from numba.core import compiler, funcdesc, typed_passes, types, typing, untyped_passes
from numba.core.codegen import JITCodeLibrary

from gonfalon.engine.jit import stamp_of

PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.IRLegalization,
)


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a helper alone, as it is; what it calls is linked by who needs it."""

    def add_llvm_module(self, module: Any) -> None:
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry or a shared rule with all that it reaches, except for shared rules."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        reached = list(_reached(self._linking_libraries))
        self._linking_libraries = [library for library in reached if library not in _shared]
        super().finalize()
        self._reload_init = {_shared[library] for library in reached if library in _shared}

    def _optimize_final_module(self) -> None:
        """Without Numba's passes before (for arrays that are counted) and without vectors, which the rules gain nothing from."""
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False)
        passes.run(self._final_module, builder)


def _reached(libraries: list[Any]) -> Iterator[Any]:
    """Each library once, callers before what they call: the linker drops what nobody has called yet."""
    seen = set()
    waiting = list(libraries)
    for library in waiting:
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, _Part):
                waiting += library._linking_libraries


class _Reload(NamedTuple):
    """Makes a shared rule ready in a process that finds one of its callers in the cache."""

    module: str
    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        getattr(import_module(self.module), self.name).compile(self.arguments)


_shared: dict[Any, _Reload] = {}
"""The machine code of shared rules, made in this process or found in the cache."""


def share(function: Callable[..., Any], compiled: Any) -> None:
    """Notes what is compiled of a shared rule: callers link to it from now on."""
    for arguments, result in compiled.overloads.items():
        _shared.setdefault(result.library, _Reload(function.__module__, function.__name__, arguments))


def _linker_name(name: str, arguments: tuple[Any, ...], *, abi_tags: Any = (), uid: object = None) -> str:
    """A function's name for the linker, the same in every process: what one has compiled and cached is linked with what
    another has. Numba numbers functions and kinds of records as a process meets them.
    """
    whole = hashlib.sha256("\n".join([str(uid), *map(str, arguments)]).encode()).hexdigest()
    return str(funcdesc.default_mangler(name, (), abi_tags=abi_tags, uid=whole))


def _lower(state: Any) -> None:
    """As Numba does it, under names of ours."""
    state.targetctx.mangler = _linker_name
    try:
        typed_passes.NativeLowering().run_pass(state)
    finally:
        del state.targetctx.mangler


class _LowerPart:
    """As Numba's lowering, but nothing is made executable."""

    def run_pass(self, state: Any) -> None:
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        _lower(state)
        lowered = state["cr"]
        # Numba knows a compiled function by its Python object, even one that cannot be called.
        name = lowered.fndesc.qualname
        known = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(known, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=known)


class _LowerWhole:
    """Numba's lowering into machine code that can be cached."""

    def run_pass(self, state: Any) -> None:
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        _lower(state)


class _Passes:
    """Numba's manager of passes, without its checks and reports after each of them."""

    pipeline_name = "rules"

    def __init__(self, passes: tuple[Any, ...]) -> None:
        self._passes = passes
        self.exec_times: dict[str, Any] = {}

    def run(self, state: Any) -> None:
        state.func_id.unique_id = stamp_of(state.func_id.func)
        for each in self._passes:
            each().run_pass(state)


class _Flags(compiler.Flags):  # type: ignore[misc]
    """Numba finds its own functions by these and compares all their values each time; equal ones are one object here."""

    __slots__ = ("_hash",)
    _hash: int
    _known: ClassVar[dict[Any, _Flags]] = {}

    def copy(self) -> _Flags:
        key = compiler.Flags(self)
        if key not in self._known:
            frozen = self._known[key] = _Flags(self)
            frozen._hash = hash(key)
        return self._known[key]

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or bool(super().__eq__(other))


class _Typing(typing.Context):  # type: ignore[misc]
    """What Numba knows of types. It tries a dozen definitions of every `+`; here it is asked once for each pair of types."""

    _found: dict[Any, Any]

    def __init__(self, context: typing.Context) -> None:
        self.__dict__.update(vars(context))  # one knowledge with Numba's own
        self._found = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        if kws or not isinstance(func, types.Function):
            return super().resolve_function_type(func, args, kws)
        key = func, tuple(args)
        if key not in self._found:
            self._found[key] = super().resolve_function_type(func, args, kws)
        return self._found[key]


_typing = functools.cache(_Typing)


class _Compiler(compiler.CompilerBase):  # type: ignore[misc]
    lowering: Any

    def __init__(self, context: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any) -> None:
        super().__init__(_typing(context), target, library, args, result, _Flags(flags), names)
        self.state.targetctx.typing_context = self.state.typingctx

    def define_pipelines(self) -> list[Any]:
        return [_Passes((*PASSES, self.lowering, typed_passes.NoPythonBackend))]


class HelperCompiler(_Compiler):
    lowering = _LowerPart


class WholeCompiler(_Compiler):
    """Of entries and of shared rules."""

    lowering = _LowerWhole
